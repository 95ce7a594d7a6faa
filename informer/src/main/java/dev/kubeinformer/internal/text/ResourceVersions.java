package dev.kubeinformer.internal.text;

/**
 * The order of resourceVersions, as far as there is one: of two strings of digits the
 * longer is newer, then the one that sorts later (KEP-5504). Any other string is opaque,
 * and nothing is claimed about it.
 */
public final class ResourceVersions {

	/** The version that some servers give to everything: it is that of no state. */
	private static final String NONE = "0";

	private ResourceVersions() {
	}

	/**
	 * Returns a version as it may be resumed from and compared with others.
	 * @param version the version that a server gave
	 * @return the version; empty for "0", which asks for any state
	 */
	public static String known(String version) {
		return version.equals(NONE) ? "" : version;
	}

	/**
	 * Returns whether one version is provably older than another.
	 * @param version the version in question
	 * @param reference the version it is compared with
	 * @return {@code false} also if the two cannot be compared
	 */
	public static boolean isOlder(String version, String reference) {
		if (!isOrdered(version) || !isOrdered(reference)) {
			return false;
		}
		return (version.length() != reference.length()) ? version.length() < reference.length()
				: version.compareTo(reference) < 0;
	}

	/**
	 * Returns whether a version is provably not before a wanted one. Of opaque versions
	 * only an equal one is.
	 * @param version the version in question
	 * @param wanted the wanted version
	 * @return whether the version is equal or newer
	 */
	public static boolean hasReached(String version, String wanted) {
		return version.equals(wanted) || isOlder(wanted, version);
	}

	/**
	 * Returns the older of two versions; the first if they cannot be compared.
	 * @param first a version
	 * @param second another version
	 * @return the older version
	 */
	public static String oldest(String first, String second) {
		return isOlder(second, first) ? second : first;
	}

	/**
	 * Returns the newer of two versions; the second if they cannot be compared.
	 * @param known the version known so far
	 * @param next the version that was just seen
	 * @return the newer version
	 */
	public static String newest(String known, String next) {
		return (next.isEmpty() || isOlder(next, known)) ? known : next;
	}

	/**
	 * Returns whether a version can be compared with others.
	 * @param version the version
	 * @return whether it is a number
	 */
	public static boolean isOrdered(String version) {
		if (version.isEmpty() || version.charAt(0) == '0') {
			return version.equals(NONE);
		}
		for (int i = 0; i < version.length(); i++) {
			if (version.charAt(i) < '0' || version.charAt(i) > '9') {
				return false;
			}
		}
		return true;
	}

}
