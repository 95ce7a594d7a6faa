package dev.kubeinformer.benchmark.controller;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that the API server has answered, by verb and resource, as its own metrics
 * count them.
 *
 * @param counts the numbers by texts such as {@code APPLY configmaps}
 */
record RequestCounts(Map<String, Long> counts) {

	private static final String METRIC = "apiserver_request_total{";

	private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

	private static final List<String> WRITES = List.of("APPLY", "POST", "PUT", "PATCH", "DELETE");

	/**
	 * Reads the metrics of an API server.
	 * @param metrics the text
	 * @param resources the resources that count
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
	 * What was added since.
	 * @param earlier earlier counts
	 * @return the differences that are not zero
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

	long all() {
		return this.counts.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * The number of requests of a kind.
	 * @param what the kind, such as {@code APPLY configmaps}
	 * @return the number
	 */
	long of(String what) {
		return this.counts.getOrDefault(what, 0L);
	}

	long writes() {
		return this.counts.entrySet()
			.stream()
			.filter((entry) -> WRITES.contains(entry.getKey().split(" ")[0]))
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

	@Override
	public String toString() {
		return this.counts.toString();
	}

}
