package dev.kubeinformer.spring.console;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebEndpointHttpMethod;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Paths of the console and the endpoint {@code informers}. They are looked up on first
 * use, because the exposed endpoints are known only after all endpoints exist.
 */
class ConsolePaths {

	private static final EndpointId CONSOLE = EndpointId.of(InformersConsoleEndpoint.ID);

	private static final EndpointId INFORMERS = EndpointId.of("informers");

	private final Supplier<PathMappedEndpoints> endpoints;

	ConsolePaths(Supplier<PathMappedEndpoints> endpoints) {
		this.endpoints = SingletonSupplier.of(endpoints);
	}

	/**
	 * Returns whether a path belongs to the console.
	 * @param path a path within the application, or the pattern that matched it
	 * @return {@code true} for the path of the console or of one of its files
	 */
	boolean isConsole(String path) {
		String console = this.endpoints.get().getPath(CONSOLE);
		return console != null
				&& (path.equals(console) || path.startsWith(StringUtils.trimTrailingCharacter(console, '/') + "/"));
	}

	/**
	 * Returns the relative link that adds a slash to the address of the console, such as
	 * {@code informersconsole/}.
	 * @return the last segment of the path and a slash; empty if the path is the root
	 */
	String lastSegment() {
		String root = root(CONSOLE);
		return (root == null || root.isEmpty()) ? "" : root.substring(root.lastIndexOf('/') + 1) + "/";
	}

	/**
	 * Returns the relative link from the folder of the console to the endpoint
	 * {@code informers}.
	 * @return the relative link; {@code null} if the console or the endpoint
	 * {@code informers} is not exposed
	 */
	@Nullable String informers() {
		String root = root(INFORMERS);
		String console = root(CONSOLE);
		if (root == null || console == null) {
			return null;
		}
		int depth = console.isEmpty() ? 0 : StringUtils.countOccurrencesOf(console, "/") + 1;
		return "../".repeat(depth) + root;
	}

	/**
	 * Returns whether the endpoint {@code informers} has a write operation.
	 * @return {@code true} if the endpoint has a POST operation
	 */
	boolean isWritable() {
		PathMappedEndpoint endpoint = this.endpoints.get().getEndpoint(INFORMERS);
		return endpoint instanceof ExposableWebEndpoint web && web.getOperations()
			.stream()
			.anyMatch((operation) -> operation.getRequestPredicate().getHttpMethod() == WebEndpointHttpMethod.POST);
	}

	private @Nullable String root(EndpointId id) {
		String root = this.endpoints.get().getRootPath(id);
		return (root != null) ? StringUtils.trimTrailingCharacter(StringUtils.trimLeadingCharacter(root, '/'), '/')
				: null;
	}

}
