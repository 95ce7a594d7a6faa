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
	 * @return whether it has the scheme http or https and a host
	 */
	static boolean isValid(String text) {
		return text.chars().noneMatch((character) -> character <= ' ') && HttpUrl.parse(text) != null;
	}

	/**
	 * Returns a URL as it may be shown.
	 * @param url the URL, also a malformed one
	 * @return the URL without user, password and parameters
	 */
	public static String withoutSecrets(String url) {
		// It may be malformed: up to the last '@' all can be a password.
		String withoutUser = url.replaceFirst("(?s)^(\\w+://)?.*@", "$1");
		return StringUtils.trimTrailingCharacter(withoutUser.replaceFirst("(?s)[?#].*", ""), '/');
	}

}
