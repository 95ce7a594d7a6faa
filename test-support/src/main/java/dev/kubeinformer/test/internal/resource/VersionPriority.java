package dev.kubeinformer.test.internal.resource;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Order of API versions in Kubernetes: stable versions first, then beta, then alpha;
 * among these, newer versions first.
 */
final class VersionPriority implements Comparator<String> {

	private static final Pattern VERSION = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");

	@Override
	public int compare(String left, String right) {
		return Long.compare(rank(right), rank(left));
	}

	private static long rank(String version) {
		Matcher matcher = VERSION.matcher(version);
		if (!matcher.matches()) {
			return -1;
		}
		if (matcher.group(2) == null) {
			return 2_000_000 + Long.parseLong(matcher.group(1)) * 1_000;
		}
		long stability = ("beta".equals(matcher.group(2))) ? 1 : 0;
		long iteration = Long.parseLong(matcher.group(3));
		return stability * 1_000_000 + Long.parseLong(matcher.group(1)) * 1_000 + iteration;
	}

}
