package dev.kubeinformer.spring.autoconfigure.client;

import okhttp3.HttpUrl;
import org.springframework.util.StringUtils;

/**
 * Rules for URLs of servers. Internal to the starter.
 */
public final class ServerUrl {

	private ServerUrl() {
	}

	/**
	 * Returns whether a text is the URL of a server.
	 * @param text the text
	 * @return {@code true} if the text has the scheme http or https and a host
	 */
	static boolean isValid(String text) {
		return text.chars().noneMatch((character) -> character <= ' ') && HttpUrl.parse(text) != null;
	}

	/**
	 * Returns a URL without its secrets, for logs and messages.
	 * @param url the URL; may be malformed
	 * @return the URL without user, password and parameters
	 */
	public static String withoutSecrets(String url) {
		// The URL may be malformed: everything up to the last '@' could be a password.
		String withoutUser = url.replaceFirst("(?s)^(\\w+://)?.*@", "$1");
		return StringUtils.trimTrailingCharacter(withoutUser.replaceFirst("(?s)[?#].*", ""), '/');
	}

}
