#!/bin/sh
# Syncs the due accounts of a host by a job array of Slurm: each of ten tasks takes every tenth name.
#
#   sbatch slurm.sh
#
#SBATCH --job-name=epact-nightly
#SBATCH --array=0-9
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=epact-%A-%a.ndjson
set -eu

epact accounts list --due --names |
  awk -v n="${SLURM_ARRAY_TASK_COUNT:-1}" -v i="${SLURM_ARRAY_TASK_ID:-0}" 'NR % n == i' |
  epact sync --accounts - --jobs 16
