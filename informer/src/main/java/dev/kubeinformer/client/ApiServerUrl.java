package dev.kubeinformer.client;

import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Parses and shows URLs of API servers.
 */
final class ApiServerUrl {

	private ApiServerUrl() {
	}

	/**
	 * Returns access to a server whose URL is the only setting.
	 * @param url the URL
	 * @param origin the origin of the URL, for messages; {@code null} for the default
	 * description
	 * @return the access
	 * @throws ClientConfigurationException if the URL is not valid
	 */
	static ClusterAccess access(String url, @Nullable String origin) {
		String text = url.strip();
		if (parse(text) == null) {
			throw new ClientConfigurationException("The URL '%s' of an API server".formatted(shown(text)), null,
					"must have a scheme and a host, as in 'https://10.0.0.1:6443'", null);
		}
		String shown = shown(text);
		return new ClusterAccess("The client of '%s'".formatted(shown), (origin != null) ? origin : "URL " + shown,
				new ClusterAccess.Server(withoutSlash(text), null, false, null, null), ClusterAccess.User.anonymous(),
				null);
	}

	/**
	 * Parses a URL.
	 * @param text the text
	 * @return the URL; {@code null} if it is not the URL of a server
	 */
	static @Nullable HttpUrl parse(String text) {
		return text.chars().noneMatch((character) -> character <= ' ') ? HttpUrl.parse(text) : null;
	}

	static String withoutSlash(String url) {
		int end = url.length();
		while (end > 0 && url.charAt(end - 1) == '/') {
			end--;
		}
		return url.substring(0, end);
	}

	/**
	 * Returns a form of a URL that is safe to show.
	 * @param url the URL; may be malformed
	 * @return the URL without user, password and parameters
	 */
	static String shown(String url) {
		// The URL may be malformed: everything up to the last '@' could be a password.
		String withoutUser = url.replaceFirst("(?s)^(\\w+://)?.*@", "$1");
		return withoutSlash(withoutUser.replaceFirst("(?s)[?#].*", ""));
	}

}
