package dev.kubeinformer.client;

import java.nio.charset.StandardCharsets;

import okhttp3.Credentials;

/**
 * User of a proxy. {@link #toString()} does not show the password.
 *
 * @param name the name
 * @param password the password; may be empty
 */
record ProxyUser(String name, String password) {

	/**
	 * Returns the value of the header {@code Proxy-Authorization}.
	 * @return the value
	 */
	String basic() {
		return Credentials.basic(this.name, this.password, StandardCharsets.UTF_8);
	}

	@Override
	public String toString() {
		return "ProxyUser";
	}

}
