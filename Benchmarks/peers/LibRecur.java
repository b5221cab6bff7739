// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TimeZone;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;

/**
 * The rules of the benchmarks, expanded by lib-recur; called and answering as Runner/Worker.swift says:
 *
 * LibRecur expand|expand-zoned "RULE START ZONE COUNT TARGET" samples|passes NUMBER
 *
 * It is timed by the processor time of its one thread, after a warm-up of two seconds: the compiler of
 * Java works on other threads meanwhile, and is not counted.
 */
final class LibRecur {
  private static final double WARM_UP = 2, SAMPLE = 0.1;
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  private final RecurrenceRule rule;
  private final DateTime start;
  private final int count;
  private final boolean zoned;
  private long instances, fields, seconds;

  private LibRecur(String work, String text) throws Exception {
    String[] words = text.split(" ");
    rule = new RecurrenceRule(words[0]);
    zoned = work.equals("expand-zoned");
    if (!zoned && !work.equals("expand")) throw new IllegalArgumentException(work);
    start = words[2].equals("-")
        ? DateTime.parse(words[1]) : DateTime.parse(TimeZone.getTimeZone(words[2]), words[1]);
    count = Integer.parseInt(words[3]);
  }

  private void run() {
    long instances = 0, fields = 0, seconds = 0;
    RecurrenceRuleIterator iterator = rule.iterator(start);
    while (instances < count && iterator.hasNext()) {
      instances++;
      if (zoned) {
        seconds += iterator.nextMillis() / 1000;
      } else {
        DateTime time = iterator.nextDateTime();
        fields += ((time.getYear() * 12L + time.getMonth() + 1) * 31 + time.getDayOfMonth()) * 86400
            + time.getHours() * 3600L + time.getMinutes() * 60L + time.getSeconds();
      }
    }
    this.instances = instances;
    this.fields = fields;
    this.seconds = seconds;
  }

  private static double now() {
    return CLOCK.getCurrentThreadCpuTime() * 1e-9;
  }

  private void measure(int samples) {
    double begin = now();
    int warmUps = 0;
    for (; now() - begin < WARM_UP; warmUps++) run();
    int passes = (int) (SAMPLE * warmUps / (now() - begin)) + 1;
    for (int sample = 0; sample < samples; sample++) {
      double before = now();
      for (int pass = 0; pass < passes; pass++) run();
      System.out.printf("sample %d %.9f 0%n", passes, now() - before);
    }
  }

  public static void main(String[] words) throws Exception {
    LibRecur work = new LibRecur(words[0], words[1]);
    int number = Integer.parseInt(words[3]);
    if (words[2].equals("samples")) work.measure(number);
    else for (; number > 0; number--) work.run();
    System.out.println("answer instances " + work.instances);
    System.out.println(
        work.zoned ? "answer instanceSeconds " + work.seconds : "answer instanceFields " + work.fields);
    for (String line : Files.readAllLines(Path.of("/proc/self/status")))
      if (line.startsWith("VmHWM:"))
        System.out.println("peak " + Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024);
  }
}
