package dev.kubeinformer.benchmark.controller;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that the API server has served, by verb and resource, from its metrics.
 *
 * @param counts the numbers, by keys such as {@code APPLY configmaps}
 */
record RequestCounts(Map<String, Long> counts) {

	private static final String METRIC = "apiserver_request_total{";

	private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

	private static final List<String> WRITES = List.of("APPLY", "POST", "PUT", "PATCH", "DELETE");

	/**
	 * Reads the metrics of an API server.
	 * @param metrics the text
	 * @param resources the resources to count
	 * @return the counts
	 */
	static RequestCounts parse(String metrics, List<String> resources) {
		Map<String, Long> counts = new TreeMap<>();
		metrics.lines().filter((line) -> line.startsWith(METRIC)).forEach((line) -> {
			Map<String, String> labels = new HashMap<>();
			Matcher matcher = LABEL.matcher(line);
			while (matcher.find()) {
				labels.put(matcher.group(1), matcher.group(2));
			}
			String resource = labels.getOrDefault("resource", "");
			if (resources.contains(resource)) {
				counts.merge(labels.get("verb") + " " + resource, value(line), Long::sum);
			}
		});
		return new RequestCounts(counts);
	}

	private static long value(String line) {
		return (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
	}

	/**
	 * Returns the requests since earlier counts.
	 * @param earlier earlier counts
	 * @return the differences other than zero
	 */
	RequestCounts since(RequestCounts earlier) {
		Map<String, Long> added = new TreeMap<>();
		this.counts.forEach((what, count) -> {
			long more = count - earlier.counts.getOrDefault(what, 0L);
			if (more != 0) {
				added.put(what, more);
			}
		});
		return new RequestCounts(added);
	}

	/**
	 * Returns the number of writes of all resources except events, because a new leader
	 * reports itself by one.
	 * @return the number
	 */
	long writes() {
		return sum((verb, resource) -> WRITES.contains(verb) && !resource.equals("events"));
	}

	/**
	 * Returns the number of requests other than writes.
	 * @return the number
	 */
	long reads() {
		return sum((verb, resource) -> !WRITES.contains(verb));
	}

	private long sum(BiPredicate<String, String> counted) {
		return this.counts.entrySet().stream().filter((entry) -> {
			String[] what = entry.getKey().split(" ");
			return counted.test(what[0], what[1]);
		}).mapToLong(Map.Entry::getValue).sum();
	}

	@Override
	public String toString() {
		return this.counts.toString();
	}

}
