package dev.kubeinformer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.types.InformerState;

import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warnings of the API server ({@code Warning: 299 - "…"}), which kubectl shows, are
 * logged once.
 */
class ServerWarningTests {

	private static final String DEPRECATED = "v1 Pod is deprecated in v9; use v2 \\\"Pod\\\"";

	private final WidgetWorld world = new WidgetWorld();

	private final Logger logger = (Logger) LoggerFactory.getLogger("dev.kubeinformer");

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final ApiClient client = warned();

	private final AtomicInteger writes = new AtomicInteger();

	private final List<String> heard = new CopyOnWriteArrayList<>();

	@BeforeEach
	void listen() {
		this.world.informers.close();
		this.world.informers = EngineTestSupport.informers(this.client,
				(builder) -> builder.listener(new InformerListener() {

					@Override
					public void warningReceived(Informer<?> informer, String warning) {
						ServerWarningTests.this.heard.add(informer.id() + ": " + warning);
					}

				}));
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void close() {
		this.logger.detachAppender(this.lines);
		this.world.close();
	}

	private ApiClient warned() {
		ApiClient client = EngineTestSupport.client(this.world.api.url());
		client.setHttpClient(client.getHttpClient().newBuilder().addNetworkInterceptor((chain) -> {
			Response response = chain.proceed(chain.request());
			List<String> warnings = warnings(chain.request());
			Response.Builder builder = response.newBuilder();
			warnings.forEach((text) -> builder.addHeader("Warning", "299 - \"" + text + "\""));
			return builder.build();
		}).build());
		return client;
	}

	private List<String> warnings(Request request) {
		String path = request.url().encodedPath();
		if (path.endsWith("/pods")) {
			return List.of(DEPRECATED);
		}
		if (!request.method().equals("GET") && path.contains("/configmaps")) {
			return List.of("unknown field \\\"data.x\\\"", "write " + this.writes.getAndIncrement() / 2);
		}
		return List.of();
	}

	private List<String> warned(String part) {
		return this.lines.list.stream()
			.filter((line) -> line.getLevel() == Level.WARN)
			.map(ILoggingEvent::getFormattedMessage)
			.filter((line) -> line.contains(part))
			.toList();
	}

	@Test
	void warningsAboutListsAndWatchesShouldBeLoggedOnce() {
		this.world.api.resources(V1Pod.class).create(pod("blog", "a"));
		Informer<V1Pod> pods = this.world.informers.informer(V1Pod.class);
		this.world.informers.start();
		// One warning of the list and one of the watch.
		await().until(() -> pods.state() == InformerState.LIVE && this.heard.size() >= 2);
		assertThat(warned("deprecated")).singleElement()
			.asString()
			.contains("Informer 'pods'", "'pods'", "v1 Pod is deprecated in v9; use v2 \"Pod\"");
		assertThat(this.heard).containsOnly("pods: v1 Pod is deprecated in v9; use v2 \"Pod\"");
	}

	@Test
	void warningsAboutWritesShouldBeLoggedOnceWithResourceReconcilerAndFieldManager() {
		this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withFieldManager("manager").withListener(new ReconcilerListener() {

			@Override
			public void warningReceived(ReconcilerContainer reconciler, String resource, String warning) {
				ServerWarningTests.this.heard.add(reconciler.id() + ", " + resource + ": " + warning);
			}

		}));
		this.world.create("a");
		await().until(() -> this.world.runs.size() == 1);
		this.world.create("b");
		this.world.create("c");
		await().until(() -> this.world.runs.size() == 3);
		assertThat(warned("unknown field \"data.x\"")).singleElement()
			.asString()
			.contains("Reconciler 'widgets'", "'configmaps'", "'manager'");
		assertThat(warned("write 0")).hasSize(1);
		assertThat(warned("write 1")).hasSize(1);
		assertThat(this.heard).hasSize(6)
			.filteredOn("widgets, configmaps: unknown field \"data.x\""::equals)
			.hasSize(3);
	}

	@Test
	void warningsToAClientOfTheApplicationThatARunUsesShouldBeLoggedOnce() {
		ApiClient own = warned();
		this.world.informers.hooks().recordWrites(own);
		CoreV1Api core = new CoreV1Api(own);
		this.world.start((widget, run) -> {
			core.createNamespacedConfigMap("web",
					new V1ConfigMap().metadata(new V1ObjectMeta().name(widget.getMetadata().getName()))
						.data(Map.of("password", "hunter2")))
				.execute();
			core.listNamespacedPod("web").execute();
			return Result.done();
		});
		this.world.create("a");
		this.world.create("b");
		await().until(() -> this.world.runs.size() == 2);
		assertThat(warned("unknown field")).singleElement().asString().contains("Reconciler 'widgets'", "'configmaps'");
		assertThat(warned("deprecated")).singleElement().asString().contains("Reconciler 'widgets'", "'pods'");
	}

}
