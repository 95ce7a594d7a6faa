package dev.kubeinformer.test;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

import org.jspecify.annotations.Nullable;

/**
 * A user of an {@link EmbeddedKubernetes} and what the server lets it do, which is
 * nothing but discovery until it is allowed. Rights may be given and taken while the
 * server runs; watches that are open go on. It may be used by several threads.
 */
public final class ApiUser {

	private static final String ANY = "*";

	private final String name;

	private final String token;

	private final Set<Right> rights = new CopyOnWriteArraySet<>();

	ApiUser(String name, String token) {
		this.name = name;
		this.token = token;
	}

	/**
	 * Return the name.
	 * @return the name, as it stands in refusals
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the token.
	 * @return the bearer token
	 */
	public String token() {
		return this.token;
	}

	/**
	 * Allow everything.
	 * @return this
	 */
	public ApiUser allowAll() {
		return allow(ANY, ANY);
	}

	/**
	 * Allow verbs on resources in all namespaces.
	 * @param verbs the verbs, separated by commas, such as "list,watch"; "*" for all
	 * @param resources the resources, separated by commas: "pods", "deployments.apps",
	 * "pods/status"; "*" for all
	 * @return this
	 */
	public ApiUser allow(String verbs, String resources) {
		return allow(verbs, resources, ANY);
	}

	/**
	 * Allow verbs on resources in a namespace.
	 * @param verbs the verbs, separated by commas
	 * @param resources the resources, separated by commas
	 * @param namespace the namespace
	 * @return this
	 */
	public ApiUser allow(String verbs, String resources, String namespace) {
		this.rights.addAll(rights(verbs, resources, namespace));
		return this;
	}

	/**
	 * Take back rights that were allowed in all namespaces. What was allowed by "*" is
	 * taken back by "*" only.
	 * @param verbs the verbs, separated by commas
	 * @param resources the resources, separated by commas
	 * @return this
	 */
	public ApiUser revoke(String verbs, String resources) {
		return revoke(verbs, resources, ANY);
	}

	/**
	 * Take back rights that were allowed in a namespace.
	 * @param verbs the verbs, separated by commas
	 * @param resources the resources, separated by commas
	 * @param namespace the namespace
	 * @return this
	 */
	public ApiUser revoke(String verbs, String resources, String namespace) {
		this.rights.removeAll(rights(verbs, resources, namespace));
		return this;
	}

	/**
	 * Take back every right.
	 * @return this
	 */
	public ApiUser revokeAll() {
		this.rights.clear();
		return this;
	}

	private static Set<Right> rights(String verbs, String resources, String namespace) {
		Set<Right> rights = new CopyOnWriteArraySet<>();
		for (String verb : verbs.split(",")) {
			for (String resource : resources.split(",")) {
				rights.add(new Right(verb.trim(), resource.trim(), namespace));
			}
		}
		return rights;
	}

	boolean may(String verb, GroupResource resource, @Nullable String subresource, @Nullable String namespace) {
		return this.rights.stream().anyMatch((right) -> right.covers(verb, resource, subresource, namespace));
	}

	// Whether paths beside resources and discovery are open.
	boolean mayAll() {
		return this.rights.contains(new Right(ANY, ANY, ANY));
	}

	/**
	 * One verb on one resource.
	 *
	 * @param verb the verb
	 * @param resource the resource
	 * @param namespace the namespace
	 */
	private record Right(String verb, String resource, String namespace) {

		boolean covers(String asked, GroupResource type, @Nullable String subresource, @Nullable String in) {
			String sub = (subresource != null && !subresource.isEmpty()) ? "/" + subresource : "";
			boolean what = ANY.equals(this.resource) || this.resource.equals(type.plural() + sub)
					|| this.resource.equals(type + sub);
			return what && (ANY.equals(this.verb) || this.verb.equals(asked))
					&& (ANY.equals(this.namespace) || this.namespace.equals(in));
		}

	}

}
