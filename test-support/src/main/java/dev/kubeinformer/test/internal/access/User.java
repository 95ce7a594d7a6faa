package dev.kubeinformer.test.internal.access;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.resource.GroupResource;

/**
 * User of a server with permissions. A new user may only use discovery. Thread-safe.
 */
public final class User {

	/**
	 * Any verb, resource or namespace.
	 */
	public static final String ANY = "*";

	private final String name;

	private final String token;

	private final Set<Right> rights = new CopyOnWriteArraySet<>();

	public User(String name, String token) {
		this.name = name;
		this.token = token;
	}

	public String name() {
		return this.name;
	}

	public String token() {
		return this.token;
	}

	public void allow(String verbs, String resources, String namespace) {
		this.rights.addAll(rights(verbs, resources, namespace));
	}

	public void revoke(String verbs, String resources, String namespace) {
		this.rights.removeAll(rights(verbs, resources, namespace));
	}

	public void revokeAll() {
		this.rights.clear();
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

	public boolean may(String verb, GroupResource resource, @Nullable String subresource, @Nullable String namespace) {
		return this.rights.stream().anyMatch((right) -> right.covers(verb, resource, subresource, namespace));
	}

	// Whether paths other than resources and discovery are open.
	public boolean mayAll() {
		return this.rights.contains(new Right(ANY, ANY, ANY));
	}

	/**
	 * Permission for one verb on one resource.
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
