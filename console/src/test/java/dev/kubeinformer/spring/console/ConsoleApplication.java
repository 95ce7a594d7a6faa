package dev.kubeinformer.spring.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A running application with the console, and a client of that.
 */
final class ConsoleApplication implements AutoCloseable {

	static final String BOTH_EXPOSED = "management.endpoints.web.exposure.include=informers,informersconsole";

	static final String WRITABLE = "management.endpoint.informers.access=unrestricted";

	/**
	 * Hide the machine's own cluster.
	 */
	static final List<String> NO_CLUSTER = List.of("KUBECONFIG=", "HOME=/nonexistent", "KUBERNETES_SERVICE_HOST=");

	private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

	private static final List<String> SECURITY_CONFIGURATIONS = List.of("ReactiveUserDetailsServiceAutoConfiguration",
			"UserDetailsServiceAutoConfiguration",
			"actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
			"actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
			"web.reactive.ReactiveWebSecurityAutoConfiguration", "web.servlet.SecurityFilterAutoConfiguration",
			"web.servlet.ServletWebSecurityAutoConfiguration");

	/**
	 * The tests have the servers of both stacks, which give a bean of the same name.
	 */
	private static final String OTHER_SERVER = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	private final ConfigurableApplicationContext context;

	private ConsoleApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Runs an application that asks nobody who he is.
	 */
	static ConsoleApplication run(WebApplicationType type, List<Class<?>> beans, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("spring.autoconfigure.exclude="
				+ String.join(",", SECURITY_CONFIGURATIONS.stream().map(SECURITY::concat).toList()) + ","
				+ OTHER_SERVER);
		return runSecured(type, beans, all.toArray(String[]::new));
	}

	static ConsoleApplication runSecured(WebApplicationType type, List<Class<?>> beans, String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.jmx.enabled=false", "--spring.main.banner-mode=off"));
		if (Stream.of(properties).noneMatch((property) -> property.startsWith("management.endpoints.web.exposure"))) {
			arguments.add("--" + BOTH_EXPOSED);
		}
		NO_CLUSTER.forEach((property) -> arguments.add("--" + property));
		Stream.of(properties).forEach((property) -> arguments.add("--" + property));
		List<Class<?>> sources = new ArrayList<>(beans);
		sources.add(Application.class);
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setWebApplicationType(type);
		return new ConsoleApplication(application.run(arguments.toArray(String[]::new)));
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	String url(String path) {
		return url("server", path);
	}

	/**
	 * Returns an address of the application.
	 * @param port {@code server} or {@code management}
	 * @param path the path
	 * @return the address
	 */
	String url(String port, String path) {
		return "http://localhost:%s%s"
			.formatted(this.context.getEnvironment().getRequiredProperty("local." + port + ".port"), path);
	}

	HttpResponse<String> get(String url) {
		return send(HttpRequest.newBuilder(URI.create(url)));
	}

	HttpResponse<String> get(String url, String accept) {
		return send(HttpRequest.newBuilder(URI.create(url)).header("Accept", accept));
	}

	<T> T read(String url, String jsonPath) {
		return JsonPath.read(get(url, "application/json").body(), jsonPath);
	}

	/**
	 * Sends a request on a connection of its own: Reactor Netty may stop reading one that
	 * is kept alive (reactor-netty#4347).
	 */
	private HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * An application with all auto-configurations.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
