package dev.kubeinformer.spring.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.EventPublishingContextWrapper;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.otel.bridge.Slf4JEventListener;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.metrics.InformerObservationAutoConfiguration;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the traces of handlers and reconcilers, with the SDK of OpenTelemetry and its
 * exporter to memory.
 */
class TracingTests {

	static {
		// The SDK has one storage of contexts in a process, which must be wrapped before
		// its first use.
		ContextStorage.addWrapper(new EventPublishingContextWrapper(new Slf4JEventListener()::onEvent));
	}

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<Gear> gears = Gear.serve(this.kubernetes);

	private final InMemorySpanExporter spans = InMemorySpanExporter.create();

	private final Lines lines = new Lines();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withConfiguration(AutoConfigurations.of(InformerObservationAutoConfiguration.class))
		.withPropertyValues("kubernetes.informers.retry.delay=5ms")
		.withBean(ObservationRegistry.class, this::registry);

	@BeforeEach
	void listen() {
		this.lines.start();
		logger().addAppender(this.lines);
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
		logger().detachAppender(this.lines);
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger("dev.kubeinformer");
	}

	private ObservationRegistry registry() {
		Tracer tracer = SdkTracerProvider.builder()
			.addSpanProcessor(SimpleSpanProcessor.create(this.spans))
			.build()
			.get("test");
		OtelTracer bridge = new OtelTracer(tracer, new OtelCurrentTraceContext(), (event) -> {
		});
		OtelPropagator propagator = new OtelPropagator(
				ContextPropagators.create(W3CTraceContextPropagator.getInstance()), tracer);
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig()
			.observationHandler(new FirstMatchingCompositeObservationHandler(
					new PropagatingSenderTracingObservationHandler<>(bridge, propagator),
					new DefaultTracingObservationHandler(bridge)));
		return registry;
	}

	@Test
	void oneTraceShouldGoFromAnEventOverARunToItsWritesAndTheLogOfItsFailure() {
		this.runner.withPropertyValues("kubernetes.informers.observations.object-names=true")
			.withBean("secretHandler", SecretHandler.class)
			.withBean("gearReconciler", GearReconciler.class)
			.run((context) -> {
				this.gears.create(Gear.of("one", 12));
				await().until(() -> !spans("gearReconciler reconcile").isEmpty());
				assertThat(context.getBean(ReconcilerRegistry.class).awaitIdle(Duration.ofSeconds(60))).isTrue();
				context.getBean(GearReconciler.class).failures.set(1);
				this.kubernetes.resources(V1Secret.class)
					.create(new V1Secret().metadata(new V1ObjectMeta().namespace("web").name("one")));
				await().until(() -> this.lines.matching("gearReconciler' of 'web/one' failed").size() == 1);
				ILoggingEvent failure = this.lines.matching("gearReconciler' of 'web/one' failed").get(0);
				await().until(() -> spans("gearReconciler reconcile").stream()
					.anyMatch((span) -> span.getSpanId().equals(mdc(failure, "spanId"))));
				SpanData delivery = spans("secretHandler add").get(0);
				SpanData run = spans("gearReconciler reconcile").stream()
					.filter((span) -> span.getSpanId().equals(mdc(failure, "spanId")))
					.findFirst()
					.orElseThrow();
				SpanData write = spans("apply configmaps").stream()
					.filter((span) -> span.getParentSpanId().equals(run.getSpanId()))
					.findFirst()
					.orElseThrow();
				assertThat(List.of(run.getTraceId(), write.getTraceId(), mdc(failure, "traceId")))
					.containsOnly(delivery.getTraceId());
				assertThat(run.getParentSpanId()).isEqualTo(delivery.getSpanId());
				assertThat(write.getParentSpanId()).isEqualTo(run.getSpanId());
				assertThat(mdc(failure, "spanId")).isEqualTo(run.getSpanId());
				assertThat(failure.getMDCPropertyMap()).containsAllEntriesOf(Map.of("kubernetes.reconciler",
						"gearReconciler", "kubernetes.resource", "gears.example.com", "kubernetes.object.namespace",
						"web", "kubernetes.object.name", "one", "kubernetes.attempt", "1"));
				assertThat(layout(failure))
					.isEqualTo("[%s-%s gearReconciler web/one #1] ".formatted(run.getTraceId(), run.getSpanId()));
				assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
				assertThat(attributes(run)).contains("namespace=web", "name=one", "outcome=error");
				assertThat(write.getKind()).isEqualTo(SpanKind.CLIENT);
				assertThat(attributes(write)).contains("verb=apply", "resource=configmaps", "status=200",
						"namespace=web", "name=one", "reconciler=gearReconciler");
				assertThat(attributes(delivery)).contains("namespace=web", "name=one");
				assertThat(requests("PATCH")).anySatisfy((request) -> assertThat(request.header("traceparent"))
					.contains(write.getTraceId(), write.getSpanId()));
			});
	}

	@Test
	void eachFailedAttemptShouldBeLoggedWithItsOwnSpan() {
		this.runner.withBean("failingHandler", FailingHandler.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=1")
			.run((context) -> {
				this.kubernetes.resources(V1Secret.class)
					.create(new V1Secret().metadata(new V1ObjectMeta().namespace("web").name("one")));
				await().until(() -> spans("failingHandler add").size() == 2);
				List<ILoggingEvent> logged = this.lines.matching("Handler 'failingHandler'");
				assertThat(logged).hasSize(2);
				for (int i = 0; i < 2; i++) {
					SpanData span = spans("failingHandler add").get(i);
					assertThat(mdc(logged.get(i), "spanId")).isEqualTo(span.getSpanId());
					assertThat(mdc(logged.get(i), "traceId")).isEqualTo(span.getTraceId());
					assertThat(mdc(logged.get(i), "kubernetes.attempt")).isEqualTo(Integer.toString(i + 1));
					assertThat(attributes(span)).noneMatch((tag) -> tag.startsWith("name"));
				}
			});
	}

	@Test
	void finalizerAndCleanupShouldBePartOfTheRun() {
		this.runner.withBean("cleanup", CleaningReconciler.class).run((context) -> {
			this.gears.create(Gear.of("one", 12));
			await().until(() -> !spans("cleaner reconcile").isEmpty());
			SpanData added = spans("patch gears.example.com").get(0);
			assertThat(added.getParentSpanId()).isEqualTo(spans("cleaner reconcile").get(0).getSpanId());
			new CustomObjectsApi(context.getBean(ApiClient.class))
				.deleteNamespacedCustomObject("example.com", "v1", "web", "gears", "one")
				.execute();
			await().until(() -> spans("cleaner cleanup").size() == 2);
			List<ILoggingEvent> logged = this.lines.matching("the cleanup of 'web/one' failed");
			assertThat(logged).hasSize(1);
			assertThat(mdc(logged.get(0), "spanId")).isEqualTo(spans("cleaner cleanup").get(0).getSpanId());
			SpanData removed = spans("patch gears.example.com").get(1);
			assertThat(removed.getParentSpanId()).isEqualTo(spans("cleaner cleanup").get(1).getSpanId());
		});
	}

	// The pattern of docs/metrics.md.
	private static String layout(ILoggingEvent event) {
		PatternLayout layout = new PatternLayout();
		layout.setContext(logger().getLoggerContext());
		layout.setPattern("[%X{traceId:-}-%X{spanId:-} %X{kubernetes.reconciler:-}%X{kubernetes.handler:-} "
				+ "%X{kubernetes.object.namespace:-}/%X{kubernetes.object.name:-} #%X{kubernetes.attempt:-}] %nopex");
		layout.start();
		return layout.doLayout(event);
	}

	private List<SpanData> spans(String name) {
		return this.spans.getFinishedSpanItems().stream().filter((span) -> span.getName().equals(name)).toList();
	}

	private List<RecordedRequest> requests(String method) {
		return this.kubernetes.requests().stream().filter((request) -> request.method().equals(method)).toList();
	}

	private static List<String> attributes(SpanData span) {
		List<String> attributes = new ArrayList<>();
		span.getAttributes().forEach((AttributeKey<?> key, Object value) -> attributes.add(key.getKey() + "=" + value));
		return attributes;
	}

	private static String mdc(ILoggingEvent event, String key) {
		return event.getMDCPropertyMap().get(key);
	}

	@InformerHandler(id = "secretHandler")
	static class SecretHandler {

		private final ReconcilerRegistry reconcilers;

		SecretHandler(ReconcilerRegistry reconcilers) {
			this.reconcilers = reconcilers;
		}

		@OnAdd
		void added(V1Secret secret) {
			this.reconcilers.get("gearReconciler").trigger(ObjectKey.of(secret));
		}

	}

	@InformerHandler(id = "failingHandler")
	static class FailingHandler {

		@OnAdd
		void added(V1Secret secret) {
			throw new IllegalStateException("s3cret");
		}

	}

	@Reconciler(id = "gearReconciler")
	static class GearReconciler {

		private final AtomicInteger failures = new AtomicInteger();

		@Reconcile
		void reconcile(Gear gear, Reconciliation<Gear> run, Owned<V1ConfigMap> maps) throws Exception {
			boolean fails = this.failures.getAndDecrement() > 0;
			run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(gear.getMetadata().getName()))
				.data(Map.of("fails", Boolean.toString(fails))));
			if (fails) {
				throw new IllegalStateException("s3cret");
			}
		}

	}

	@Reconciler(id = "cleaner")
	static class CleaningReconciler {

		private final AtomicInteger cleanups = new AtomicInteger();

		@Reconcile
		void reconcile(Gear gear) {
		}

		@OnCleanup
		void clean(Gear gear) {
			if (this.cleanups.incrementAndGet() == 1) {
				throw new IllegalStateException("s3cret");
			}
		}

	}

	/**
	 * Lines of the log with their contexts.
	 */
	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

		@Override
		protected void append(ILoggingEvent event) {
			event.prepareForDeferredProcessing();
			this.events.add(event);
		}

		List<ILoggingEvent> matching(String part) {
			Predicate<ILoggingEvent> matches = (event) -> event.getFormattedMessage().contains(part);
			return this.events.stream().filter(matches).toList();
		}

	}

}
