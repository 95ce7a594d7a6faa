package dev.kubeinformer.test;

import java.util.List;

import dev.kubeinformer.test.internal.access.User;

/**
 * User of an {@link EmbeddedKubernetes} with permissions. A new user may only use discovery. Permissions can be granted and revoked while the server is running; open watches continue. Thread-safe.
 */
public final class ApiUser {

	private final User user;

	ApiUser(String name, String token) {
		this.user = new User(name, token);
	}

	static ApiUser named(String name, List<ApiUser> users) {
		return users.stream()
			.filter((user) -> user.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("There is no user \"" + name + "\""));
	}

	/**
	 * Returns the name.
	 * @return the name, as in the messages of denied requests
	 */
	public String name() {
		return this.user.name();
	}

	/**
	 * Returns the token.
	 * @return the bearer token
	 */
	public String token() {
		return this.user.token();
	}

	/**
	 * Allows everything.
	 * @return this
	 */
	public ApiUser allowAll() {
		return allow(User.ANY, User.ANY);
	}

	/**
	 * Allows verbs on resources in all namespaces.
	 * @param verbs the verbs, separated by commas, such as "list,watch"; "*" for all
	 * @param resources the resources, separated by commas: "pods", "deployments.apps",
	 * "pods/status"; "*" for all
	 * @return this
	 */
	public ApiUser allow(String verbs, String resources) {
		return allow(verbs, resources, User.ANY);
	}

	/**
	 * Allows verbs on resources in a namespace.
	 * @param verbs the verbs, separated by commas
	 * @param resources the resources, separated by commas
	 * @param namespace the namespace
	 * @return this
	 */
	public ApiUser allow(String verbs, String resources, String namespace) {
		this.user.allow(verbs, resources, namespace);
		return this;
	}

	/**
	 * Revokes permissions in all namespaces. A permission that was granted with "*" can only be revoked with "*".
	 * @param verbs the verbs, separated by commas
	 * @param resources the resources, separated by commas
	 * @return this
	 */
	public ApiUser revoke(String verbs, String resources) {
		return revoke(verbs, resources, User.ANY);
	}

	/**
	 * Revokes permissions in a namespace.
	 * @param verbs the verbs, separated by commas
	 * @param resources the resources, separated by commas
	 * @param namespace the namespace
	 * @return this
	 */
	public ApiUser revoke(String verbs, String resources, String namespace) {
		this.user.revoke(verbs, resources, namespace);
		return this;
	}

	/**
	 * Revokes all permissions.
	 * @return this
	 */
	public ApiUser revokeAll() {
		this.user.revokeAll();
		return this;
	}

	// State of this user in the server.
	User user() {
		return this.user;
	}

}
