package dev.kubeinformer.spring;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.informer.exception.ObjectTransformException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that contents of objects, and the token, reach no log, meter, health or endpoint,
 * whichever code throws an exception that quotes them.
 */
class CanaryTests {

	private static final String CANARY = "kanarienvogel";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder()
		.validation(false)
		.user("canary", CANARY + "-token", ApiUser::allowAll)
		.start();

	private final HttpClient http = HttpClient.newHttpClient();

	private final Records records = new Records();

	private final Logger root = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);

	private final Level level = this.root.getLevel();

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		if (this.context != null) {
			this.context.close();
		}
		this.root.detachAppender(this.records);
		this.root.setLevel(this.level);
		this.kubernetes.close();
	}

	@Test
	void contentsOfObjectsShouldReachNothingThatPeopleRead() throws Exception {
		create("pods", "Pod",
				"\"spec\": {\"nodeName\": \"%1$s\", \"containers\": [{\"name\": \"%1$s\", \"image\": \"%1$s\", "
						+ "\"env\": [{\"name\": \"%1$s\", \"value\": \"%1$s\"}]}]}, \"status\": {\"message\": \"%1$s\"}");
		create("configmaps", "ConfigMap", "\"data\": {\"%1$s\": \"%1$s\"}");
		create("secrets", "Secret",
				"\"type\": \"%1$s\", \"stringData\": {\"%1$s\": \"%1$s\"}, \"data\": {\"%1$s\": \"a2FuYXJpZW52b2dlbA==\"}");
		// The official models cannot contain this type.
		create("services", "Service", "\"spec\": {\"ports\": \"%1$s\"}");
		start();
		InformerHandlerRegistry handlers = this.context.getBean(InformerHandlerRegistry.class);
		await()
			.until(() -> handlers.all().stream().allMatch((handler) -> handler.status().deliveries().exhausted() > 0));
		Informers informers = this.context.getBean(Informers.class);
		await().until(() -> informers.informer(V1Secret.class).status().cache().quarantined() == 1);
		await().until(() -> informers.informer(V1Service.class).status().cache().quarantined() == 1);
		this.kubernetes.stopServing();
		await().until(() -> informers.all()
			.stream()
			.noneMatch((informer) -> informer.status().state().name().equals("LIVE")));
		this.kubernetes.resumeServing();
		await().until(
				() -> informers.all().stream().allMatch((informer) -> informer.status().state().name().equals("LIVE")));
		// As of a conversion webhook that fails.
		this.kubernetes.faults().on(Requests.of("pods")).times(2).status(500, CANARY);
		this.kubernetes.dropConnections();
		await().until(() -> this.records.messages().stream().anyMatch((message) -> message.contains("HTTP 500")));
		for (String path : paths()) {
			HttpResponse<String> response = get(path);
			assertThat(response.statusCode()).as(path).isIn(200, 503);
			assertThat(response.body()).as(path).isNotEmpty().doesNotContain(CANARY);
		}
		this.context.close();
		assertThat(this.context.getBeanFactory()).isNotNull();
		assertThat(this.records.messages()).isNotEmpty()
			.as("messages")
			.noneMatch((message) -> message.contains(CANARY));
		assertThat(this.records.traces).as("stack traces, of handlers only")
			.allMatch((trace) -> !trace.contains(CANARY) || trace.contains(FailingHandler.class.getName() + ".added"));
		assertThat(this.records.traces).anyMatch((trace) -> trace.contains(CANARY));
	}

	private List<String> paths() throws Exception {
		List<String> paths = new ArrayList<>();
		JsonMapper.shared().readTree(get("/actuator").body()).path("_links").valueStream().forEach((link) -> {
			String path = URI.create(link.path("href").asString().replaceAll("\\{.*", "")).getPath();
			// A dump of the memory holds what the caches hold.
			if (!path.endsWith("/heapdump") && !path.endsWith("/")) {
				paths.add(path);
			}
		});
		for (InformerHandlerContainer handler : this.context.getBean(InformerHandlerRegistry.class).all()) {
			paths.add("/actuator/health/informers/" + handler.id());
			paths.add("/actuator/informers/" + handler.id());
		}
		for (Informer<?> informer : this.context.getBean(Informers.class).all()) {
			paths.add("/actuator/informers/" + informer.id());
		}
		paths.add("/actuator/health/readiness");
		paths.add("/actuator/informers/rbac");
		JsonMapper.shared()
			.readTree(get("/actuator/metrics").body())
			.path("names")
			.valueStream()
			.map(JsonNode::asString)
			.filter((name) -> name.startsWith("kubernetes"))
			.forEach((name) -> paths.add("/actuator/metrics/" + name));
		assertThat(paths).contains("/actuator/health", "/actuator/prometheus", "/actuator/informers",
				"/actuator/metrics/kubernetes.informer.events");
		return paths;
	}

	private void start() {
		this.records.setContext(this.root.getLoggerContext());
		this.records.start();
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off",
				"--management.endpoint.health.show-details=always",
				"--management.endpoint.health.show-components=always", "--management.endpoints.web.exposure.include=*",
				"--management.endpoint.informers.access=unrestricted", "--kubernetes.informers.retry.max-retries=1",
				"--kubernetes.informers.retry.delay=1ms", "--kubernetes.client.url=" + this.kubernetes.url(),
				"--kubernetes.client.token=" + CANARY + "-token"));
		List.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> arguments.add("--" + property));
		SpringApplication application = new SpringApplication(Application.class);
		// After the application has set up its logging.
		application.addInitializers((some) -> {
			this.root.addAppender(this.records);
			this.root.setLevel(Level.INFO);
		});
		this.context = application.run(arguments.toArray(String[]::new));
	}

	private void create(String plural, String kind, String content) throws Exception {
		String object = ("{\"apiVersion\": \"v1\", \"kind\": \"" + kind
				+ "\", \"metadata\": {\"name\": \"one\", \"labels\": {\"%1$s\": \"%1$s\"}, \"annotations\": {\"%1$s\": \"%1$s\"}, "
				+ "\"finalizers\": [\"example.com/%1$s\"]}, " + content + "}")
			.formatted(CANARY);
		HttpRequest request = HttpRequest
			.newBuilder(URI.create(this.kubernetes.url() + "/api/v1/namespaces/default/" + plural))
			.header("Content-Type", "application/json")
			.header("Authorization", "Bearer " + CANARY + "-token")
			.POST(HttpRequest.BodyPublishers.ofString(object))
			.build();
		HttpResponse<String> response = this.http.send(request, HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
	}

	private HttpResponse<String> get(String path) throws Exception {
		String port = this.context.getEnvironment().getProperty("local.server.port");
		return this.http.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	/** Log records. */
	private static final class Records extends AppenderBase<ILoggingEvent> {

		private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

		private final List<String> traces = new CopyOnWriteArrayList<>();

		@Override
		protected void append(ILoggingEvent event) {
			this.events.add(event);
			IThrowableProxy throwable = event.getThrowableProxy();
			if (throwable != null) {
				this.traces.add(ThrowableProxyUtil.asString(throwable));
			}
		}

		List<String> messages() {
			return this.events.stream().map(ILoggingEvent::getFormattedMessage).toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ FailingHandler.class, FailingCondition.class, FailingExpression.class, UnreadableReader.class })
	static class Application {

		@Bean
		InformerErrorHandler errorHandler() {
			return (event, failure, handler) -> {
				throw new IllegalStateException("Called with an event", failure);
			};
		}

		@Bean
		TransformedReader transformedReader(Informers informers) {
			return new TransformedReader(informers.informer(V1Secret.class));
		}

	}

	@InformerHandler(id = "failing")
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalStateException(pod.getSpec().getNodeName());
		}

	}

	@InformerHandler(id = "condition")
	static class FailingCondition {

		@OnAdd(condition = "T(java.lang.Integer).parseInt(#object.data.keySet().iterator().next()) > 0")
		void added(V1ConfigMap configMap) {
		}

	}

	@InformerHandler(id = "expression")
	static class FailingExpression {

		@OnAdd(condition = "#object.metadata.labels.values().iterator().next() + 1 > 2 or #object.metadata.annotations.x.y")
		@OnUpdate
		void added(V1ConfigMap configMap) {
		}

	}

	static class UnreadableReader {

		UnreadableReader(Lister<V1Service> services) {
		}

	}

	static class TransformedReader {

		TransformedReader(Informer<V1Secret> secrets) {
			secrets.setTransform((secret) -> {
				throw new ObjectTransformException(((V1Secret) secret).getType());
			});
		}

	}

}
