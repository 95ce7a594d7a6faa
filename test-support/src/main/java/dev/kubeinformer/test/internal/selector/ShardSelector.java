package dev.kubeinformer.test.internal.selector;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Parameter {@code shardSelector} (KEP-5866): ranges of the hash of the UID or the
 * namespace of objects, as in
 * {@code shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')}.
 * The hash is the 64-bit FNV-1a, which is compared as an unsigned number.
 *
 * @param field the field, the same in all ranges
 * @param ranges the ranges; an object is selected if its hash is in one of them
 */
public record ShardSelector(Field field, List<Range> ranges) implements Predicate<PersistedObject> {

	private static final long OFFSET = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	/**
	 * Parses a selector.
	 * @param text the selector, not empty
	 * @return the selector
	 * @throws RequestFailure 500 if the text is not valid, with the message of
	 * kube-apiserver
	 */
	static ShardSelector parse(String text) {
		if (text.isBlank()) {
			throw invalid("empty shard selector is not allowed; omit the parameter for unfiltered lists");
		}
		return new ShardParser(text).parse();
	}

	static RequestFailure invalid(String why) {
		return Statuses.unexpected("invalid shard selector: " + why);
	}

	/**
	 * Returns the selector in the form that kube-apiserver repeats in its response.
	 * @return the text
	 */
	String canonical() {
		return this.ranges.stream()
			.map((range) -> "shardRange(" + this.field.path + ", '" + range.start() + "', '" + range.end() + "')")
			.collect(Collectors.joining(" || "));
	}

	@Override
	public boolean test(PersistedObject object) {
		long hash = hash((this.field == Field.UID) ? object.uid() : object.key().namespace());
		return this.ranges.stream().anyMatch((range) -> range.contains(hash));
	}

	static long hash(String text) {
		long hash = OFFSET;
		for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (b & 0xff)) * PRIME;
		}
		return hash;
	}

	/**
	 * Hashed part of the metadata.
	 */
	enum Field {

		/**
		 * The UID.
		 */
		UID("object.metadata.uid"),

		/**
		 * The namespace, empty for objects of the cluster.
		 */
		NAMESPACE("object.metadata.namespace");

		private final String path;

		Field(String path) {
			this.path = path;
		}

		String path() {
			return this.path;
		}

		static Field of(String path) {
			for (Field field : values()) {
				if (field.path.equals(path)) {
					return field;
				}
			}
			throw invalid("unsupported field path \"" + path + "\"; supported: " + UID.path + ", " + NAMESPACE.path);
		}

	}

	/**
	 * Range of hashes.
	 *
	 * @param start the first hash, 16 digits after "0x"
	 * @param end the hash after the last hash, at most 2^64
	 */
	record Range(String start, String end) {

		static final String MAXIMUM = "0x10000000000000000";

		private static final int DIGITS = 16;

		private static final int HEX = 16;

		private static final Pattern NO_DIGIT = Pattern.compile("[^0-9a-f]");

		Range {
			check("hexStart", start);
			check("hexEnd", end);
			if (start.equals(MAXIMUM) || (!end.equals(MAXIMUM) && start.compareTo(end) >= 0)) {
				throw invalid("shard range start " + start + " must be less than end " + end);
			}
		}

		boolean contains(long hash) {
			return Long.compareUnsigned(number(this.start), hash) <= 0
					&& (this.end.equals(MAXIMUM) || Long.compareUnsigned(hash, number(this.end)) < 0);
		}

		private static long number(String bound) {
			return Long.parseUnsignedLong(bound.substring(2), HEX);
		}

		// The order of the checks determines the message; it is the order of
		// kube-apiserver.
		private static void check(String name, String bound) {
			if (!bound.startsWith("0x")) {
				throw invalid(name + " must have '0x' prefix, got \"" + bound + "\"");
			}
			String digits = bound.substring(2);
			if (digits.isEmpty()) {
				throw invalid(name + ": hex value is required after '0x'");
			}
			if (digits.length() > DIGITS + 1) {
				throw invalid(name + ": hex value too long (" + digits.length() + " chars, max " + (DIGITS + 1)
						+ "): \"" + digits + "\"");
			}
			Matcher wrong = NO_DIGIT.matcher(digits);
			if (wrong.find()) {
				throw invalid(name + ": invalid hex character \"" + wrong.group() + "\" in \"" + bound + "\"");
			}
			if (digits.length() > DIGITS && !bound.equals(MAXIMUM)) {
				throw invalid(name + ": 17-digit hex value must be '" + MAXIMUM + "' (2^64), got \"" + bound + "\"");
			}
			if (digits.length() < DIGITS) {
				throw invalid(name + " must be a 0x-prefixed 16-digit hex value, got \"" + bound
						+ "\" (did you mean \"0x" + "0".repeat(DIGITS - digits.length()) + digits + "\"?)");
			}
		}

	}

}
