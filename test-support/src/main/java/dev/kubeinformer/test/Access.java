package dev.kubeinformer.test;

import java.util.List;
import java.util.Locale;

import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * Authentication by bearer token and authorization by each user's rights. Without users
 * everybody may do everything.
 */
final class Access {

	// what everybody may ask without a token
	private static final String VERSION = "/version";

	private static final List<String> OPEN = List.of("/readyz", "/livez", "/healthz", VERSION, "/api", "/apis",
			"/openapi");

	// what every authenticated user may ask, and only about itself
	private static final String SELF_REVIEWS = "selfsubject";

	private final List<ApiUser> users;

	Access(List<ApiUser> users) {
		this.users = List.copyOf(users);
	}

	List<ApiUser> users() {
		return this.users;
	}

	/**
	 * Check a request.
	 * @param exchange the request
	 * @return who asks, or {@code null} if there are no users or nobody needs to be one
	 * @throws StatusException 401 or 403 if it is refused
	 */
	@Nullable ApiUser check(Exchange exchange) {
		if (this.users.isEmpty()) {
			return null;
		}
		RecordedRequest request = exchange.recorded();
		String authorization = exchange.header(HttpHeader.AUTHORIZATION);
		if (authorization.isEmpty() && "GET".equals(request.method()) && VERSION.equals(request.path())) {
			return null;
		}
		ApiUser user = authenticate(authorization);
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
	 * Check that a request that would create its object may do so.
	 * @param exchange the request
	 * @throws StatusException 403 if it may not
	 */
	static void checkCreate(Exchange exchange) {
		ApiUser user = exchange.user();
		ApiPath path = ApiPath.parse(exchange.recorded().path());
		if (user != null && path != null) {
			checkResource(user, "create", path);
		}
	}

	private ApiUser authenticate(String authorization) {
		String[] parts = authorization.trim().split(" +", 2);
		if (parts.length == 2 && "bearer".equals(parts[0].toLowerCase(Locale.ROOT))) {
			for (ApiUser user : this.users) {
				if (user.token().equals(parts[1])) {
					return user;
				}
			}
		}
		throw Statuses.of(401, "Unauthorized");
	}

	private static void checkPath(ApiUser user, RecordedRequest request) {
		boolean open = "GET".equals(request.method()) && OPEN.stream()
			.anyMatch((prefix) -> request.path().equals(prefix) || request.path().startsWith(prefix + "/"));
		if (!open && !user.mayAll()) {
			throw Statuses.forbiddenPath(user.name(), request.method().toLowerCase(Locale.ROOT), request.path());
		}
	}

	private static void checkResource(ApiUser user, String verb, ApiPath path) {
		GroupResource resource = new GroupResource(path.group(), path.resource());
		// kube-apiserver takes a namespace to be in itself
		boolean isNamespace = resource.group().isEmpty() && "namespaces".equals(resource.plural());
		String namespace = (isNamespace) ? path.name() : path.namespace();
		if (!user.may(verb, resource, path.subresource(), namespace)) {
			throw Statuses.forbidden(user.name(), verb, path, namespace);
		}
	}

}
