package dev.kubeinformer.test.internal.schema;

/**
 * Network addresses as Go reads them.
 */
final class Addresses {

	private static final int GROUPS = 8;

	private Addresses() {
	}

	/**
	 * Returns whether a text is an IP address.
	 * @param text the text
	 * @param sloppy {@code true} to permit leading zeros
	 * @return {@code true} if the text is an address of either version
	 */
	static boolean isAddress(String text, boolean sloppy) {
		return (text.contains(":")) ? isVersion6(text) : isVersion4(text, sloppy);
	}

	private static boolean isVersion4(String text, boolean sloppy) {
		String[] parts = text.split("\\.", -1);
		if (parts.length != 4) {
			return false;
		}
		for (String part : parts) {
			boolean number = part.matches("\\d+") && part.replaceFirst("^0+(?=.)", "").length() <= 3
					&& Integer.parseInt(part.replaceFirst("^0+(?=.)", "")) <= 255;
			if (!number || (!sloppy && part.length() > 1 && part.startsWith("0"))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isVersion6(String text) {
		String groups = text;
		int last = groups.lastIndexOf(':');
		if (groups.indexOf('.', last) > 0) {
			if (!isVersion4(groups.substring(last + 1), true)) {
				return false;
			}
			groups = groups.substring(0, last + 1) + "0:0";
		}
		int gap = groups.indexOf("::");
		if (gap < 0) {
			return count(groups) == GROUPS;
		}
		int before = count(groups.substring(0, gap));
		int after = count(groups.substring(gap + 2));
		return before >= 0 && after >= 0 && before + after < GROUPS;
	}

	// Returns the number of groups; -1 if the text contains anything else.
	private static int count(String groups) {
		if (groups.isEmpty()) {
			return 0;
		}
		String[] parts = groups.split(":", -1);
		for (String part : parts) {
			if (!part.matches("[0-9A-Fa-f]{1,4}")) {
				return -1;
			}
		}
		return parts.length;
	}

	static boolean isCidr(String text) {
		int slash = text.indexOf('/');
		if (slash < 0 || !text.substring(slash + 1).matches("\\d{1,3}")) {
			return false;
		}
		String address = text.substring(0, slash);
		return isAddress(address, true)
				&& Integer.parseInt(text.substring(slash + 1)) <= ((address.contains(":")) ? 128 : 32);
	}

}
