package dev.kubeinformer.spring.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeTypeUtils;

/**
 * Endpoint that serves the page of the console and its files. The page shows the response
 * of the endpoint {@code informers}; it needs this endpoint and no further permission.
 */
@WebEndpoint(id = InformersConsoleEndpoint.ID, defaultAccess = Access.READ_ONLY)
@ImportRuntimeHints(InformersConsoleRuntimeHints.class)
public final class InformersConsoleEndpoint {

	static final String ID = "informersconsole";

	/**
	 * Name of the file with the settings, which is generated.
	 */
	static final String SETTINGS = "config.json";

	private static final String FOLDER = "./";

	private final ConsolePaths paths;

	private final @Nullable String application;

	/**
	 * Creates the endpoint.
	 * @param paths the paths of the endpoints
	 * @param application the name of the application; {@code null} if it has none
	 */
	InformersConsoleEndpoint(ConsolePaths paths, @Nullable String application) {
		this.paths = paths;
		this.application = application;
	}

	/**
	 * Returns the page, for requests without a trailing slash in the path.
	 * @return the page; its links begin with the last segment of the path, such as
	 * {@code informersconsole/}
	 */
	@ReadOperation(produces = ConsoleFile.HTML)
	public WebEndpointResponse<Resource> page() {
		try {
			// Without a trailing slash, a browser resolves relative links against the
			// parent folder.
			String page = ConsoleFile.PAGE.resource()
				.getContentAsString(StandardCharsets.UTF_8)
				.replace("=\"" + FOLDER, "=\"" + FOLDER + this.paths.lastSegment());
			return new WebEndpointResponse<>(new ByteArrayResource(page.getBytes(StandardCharsets.UTF_8)),
					WebEndpointResponse.STATUS_OK, ConsoleFile.PAGE.type());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read '%s'".formatted(ConsoleFile.PAGE.fileName()), ex);
		}
	}

	/**
	 * Returns a file of the page.
	 * @param path the name of the file; empty for the page itself
	 * @return the file; status 404 if there is no such file
	 */
	@ReadOperation(produces = { ConsoleFile.HTML, ConsoleFile.SCRIPT, ConsoleFile.STYLE, ConsoleFile.IMAGE,
			"application/json" })
	public WebEndpointResponse<Object> file(@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
		String name = String.join("/", path);
		if (name.equals(SETTINGS)) {
			return new WebEndpointResponse<>(
					new ConsoleSettings(this.application, this.paths.informers(), this.paths.isWritable()),
					WebEndpointResponse.STATUS_OK, MimeTypeUtils.APPLICATION_JSON);
		}
		return ConsoleFile.find(name.isEmpty() ? ConsoleFile.PAGE.fileName() : name)
			.map((file) -> new WebEndpointResponse<Object>(file.resource(), WebEndpointResponse.STATUS_OK, file.type()))
			.orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
	}

}
