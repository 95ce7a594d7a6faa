package dev.kubeinformer.spring.settings;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Rules for ids of handlers and keys of the configuration.
 */
public final class InformerIds {

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_-]+");

	private InformerIds() {
	}

	/**
	 * Whether a text may be the id of a handler.
	 * @param id the text
	 * @return whether it consists of letters, digits, {@code -} and {@code _}
	 */
	public static boolean isValid(String id) {
		return VALID.matcher(id).matches();
	}

	/**
	 * Form in which ids and keys are compared. Environment variables know neither case
	 * nor {@code -}, {@code _} or {@code .}, so these do not count.
	 * @param id the id or key
	 * @return the id without what does not count
	 */
	public static String canonical(String id) {
		return id.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
	}

}
