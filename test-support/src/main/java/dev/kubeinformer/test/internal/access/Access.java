package dev.kubeinformer.test.internal.access;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Authentication by bearer token and authorization by each user's permissions. If the
 * server has no users, every request is allowed.
 */
public final class Access {

	// Path that clients may read without a token.
	private static final String VERSION = "/version";

	private static final List<String> OPEN = List.of("/readyz", "/livez", "/healthz", VERSION, "/api", "/apis",
			"/openapi");

	// Prefix of resources such as "selfsubjectaccessreviews", which every authenticated
	// user may create.
	private static final String SELF_REVIEWS = "selfsubject";

	private final List<User> users;

	public Access(List<User> users) {
		this.users = List.copyOf(users);
	}

	/**
	 * Checks a request.
	 * @param request the request
	 * @return the user, or {@code null} if the server has no users or the request needs
	 * no authentication
	 * @throws RequestFailure 401 or 403 if the request is denied
	 */
	public @Nullable User check(ApiRequest request) {
		if (this.users.isEmpty()) {
			return null;
		}
		String authorization = request.header("Authorization");
		if (authorization.isEmpty() && "GET".equals(request.method()) && VERSION.equals(request.path())) {
			return null;
		}
		User user = authenticate(authorization);
		ApiPath path = ApiPath.parse(request.path());
		if (path == null) {
			checkPath(user, request);
		}
		else if (!path.resource().startsWith(SELF_REVIEWS)) {
			checkResource(user, request.verb(), path);
		}
		return user;
	}

	/**
	 * Checks that a user may create the object of an update or patch. Called if the
	 * object does not exist, so that the request would create it.
	 * @param user the user, or {@code null} if there are no users
	 * @param request the request
	 * @throws RequestFailure 403 if the request is denied
	 */
	public static void checkCreate(@Nullable User user, ApiRequest request) {
		ApiPath path = ApiPath.parse(request.path());
		if (user != null && path != null) {
			checkResource(user, "create", path);
		}
	}

	private User authenticate(String authorization) {
		String[] parts = authorization.trim().split(" +", 2);
		if (parts.length == 2 && "bearer".equals(parts[0].toLowerCase(Locale.ROOT))) {
			for (User user : this.users) {
				if (user.token().equals(parts[1])) {
					return user;
				}
			}
		}
		throw Statuses.of(401, "Unauthorized");
	}

	private static void checkPath(User user, ApiRequest request) {
		boolean open = "GET".equals(request.method()) && OPEN.stream()
			.anyMatch((prefix) -> request.path().equals(prefix) || request.path().startsWith(prefix + "/"));
		if (!open && !user.mayAll()) {
			throw Statuses.forbiddenPath(user.name(), request.method().toLowerCase(Locale.ROOT), request.path());
		}
	}

	private static void checkResource(User user, String verb, ApiPath path) {
		GroupResource resource = new GroupResource(path.group(), path.resource());
		// For kube-apiserver, a Namespace object belongs to the namespace with its name.
		boolean isNamespace = resource.group().isEmpty() && "namespaces".equals(resource.plural());
		String namespace = (isNamespace) ? path.name() : path.namespace();
		if (!user.may(verb, resource, path.subresource(), namespace)) {
			throw Statuses.forbidden(user.name(), verb, path, namespace);
		}
	}

}
