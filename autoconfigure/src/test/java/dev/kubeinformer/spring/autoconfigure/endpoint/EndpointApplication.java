package dev.kubeinformer.spring.autoconfigure.endpoint;

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

import dev.kubeinformer.spring.InformerContextRunner;

/**
 * A running application with the endpoint, and a client of that.
 */
final class EndpointApplication implements AutoCloseable {

	private static final String EXPOSURE = "management.endpoints.web.exposure.include";

	static final String UNRESTRICTED = "management.endpoint.informers.access=unrestricted";

	private final ConfigurableApplicationContext context;

	private EndpointApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static EndpointApplication run(WebApplicationType type, List<Class<?>> beans, String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.jmx.enabled=false", "--spring.main.banner-mode=off"));
		// Given twice, both values would count.
		for (String standard : List.of(EXPOSURE + "=informers", "spring.application.name=Shop Front")) {
			String key = standard.substring(0, standard.indexOf('='));
			if (Stream.of(properties).noneMatch((property) -> property.startsWith(key))) {
				arguments.add("--" + standard);
			}
		}
		List.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> arguments.add("--" + property));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		List<Class<?>> sources = new ArrayList<>(beans);
		sources.add(Application.class);
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setWebApplicationType(type);
		return new EndpointApplication(application.run(arguments.toArray(String[]::new)));
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	HttpResponse<String> get(String path) {
		return send(request(path));
	}

	HttpResponse<String> get(String path, String accept) {
		return send(request(path).header("Accept", accept));
	}

	HttpResponse<String> post(String path, String body) {
		return send(request(path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	HttpResponse<String> act(String handler, String action) {
		return post("/" + handler, "{\"action\":\"" + action + "\"}");
	}

	<T> T read(String path, String jsonPath) {
		return JsonPath.read(get(path).body(), jsonPath);
	}

	private HttpRequest.Builder request(String path) {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/informers" + path));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			// On a connection of its own: Reactor Netty may lose a request that comes
			// while it ends the one before.
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
