package dev.kubeinformer.test;

import java.util.List;

import dev.kubeinformer.test.internal.access.User;

/**
 * User of an {@link EmbeddedKubernetes} and its rights: none but discovery until some are
 * given. Rights may be given and taken while the server runs; watches that are open go
 * on. It may be used by several threads.
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
	 * @return the name, as it stands in refusals
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
	 * Takes back rights that were allowed in all namespaces. What was allowed by "*" is
	 * taken back by "*" only.
	 * @param verbs the verbs, separated by commas
	 * @param resources the resources, separated by commas
	 * @return this
	 */
	public ApiUser revoke(String verbs, String resources) {
		return revoke(verbs, resources, User.ANY);
	}

	/**
	 * Takes back rights that were allowed in a namespace.
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
	 * Takes back every right.
	 * @return this
	 */
	public ApiUser revokeAll() {
		this.user.revokeAll();
		return this;
	}

	// What the server knows of this user.
	User user() {
		return this.user;
	}

}
