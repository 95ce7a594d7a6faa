package dev.kubeinformer;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Informers that have all lost the API server share what one of them is answered.
 */
class OutageSharingTests {

	private static final int INFORMERS = 5;

	private static final Duration NEARLY_A_SECOND = Duration.ofMillis(900);

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final RecordedLog log = new RecordedLog("dev.kubeinformer.Informers");

	/** Whether the next connection leads to a server that fails. */
	private final AtomicBoolean sickness = new AtomicBoolean();

	private final AtomicReference<Connection> sick = new AtomicReference<>();

	private Informers informers = informers(EngineTestSupport.client(this.api.url(), Protocol.H2_PRIOR_KNOWLEDGE));

	private static Informers informers(ApiClient client) {
		return EngineTestSupport.informers(client, (builder) -> builder.timings(EngineTestSupport.LONGER_AND_LONGER));
	}

	@BeforeEach
	void logLevel() {
		((Logger) LoggerFactory.getLogger("dev.kubeinformer.Informers")).setLevel(Level.INFO);
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
		this.log.close();
	}

	@Test
	void oneInformerSendsTheRequestsAndItsAnswerLetsAllGoOn() {
		start();
		Fault away = lose(Duration.ZERO);
		// Each of them notices once. Then there is one request at a time, ever more
		// rarely.
		await().until(() -> away.hits() >= INFORMERS + 6);
		assertThat(away.hits()).isLessThanOrEqualTo(INFORMERS + 7);
		this.api.clearRequests();
		away.remove();
		await().atMost(LONG).until(() -> live() == INFORMERS);
		assertThat(this.api.requests()).filteredOn(RecordedRequest::isWatch)
			.extracting((request) -> request.parameter("labelSelector"))
			.hasSize(INFORMERS)
			.doesNotHaveDuplicates();
		assertThat(this.log.lines()).singleElement()
			.asString()
			.matches("The API server responds again after [0-9.]+ s; 5 waiting watches and lists continue\n");
	}

	@Test
	void serverThatAsksToWaitIsAskedOnceMeanwhile() {
		start();
		lose(Duration.ofSeconds(1));
		// Answers, not hits of the fault: a request is recorded after it was answered.
		List<Instant> times = await().atMost(LONG)
			.until(this::refusals, (refusals) -> refusals.size() >= INFORMERS + 2);
		assertThat(Duration.between(times.get(INFORMERS - 1), times.get(INFORMERS))).isGreaterThan(NEARLY_A_SECOND);
		assertThat(Duration.between(times.get(INFORMERS), times.get(INFORMERS + 1))).isGreaterThan(NEARLY_A_SECOND);
	}

	private List<Instant> refusals() {
		return this.api.requests()
			.stream()
			.filter((request) -> request.status() == 503)
			.map(RecordedRequest::at)
			.sorted()
			.toList();
	}

	@Test
	void oneThatIsLiveShowsThatTheServerIsNotAway() {
		Informer<V1Secret> secrets = this.informers.informer(V1Secret.class);
		start();
		await().until(() -> secrets.status().state() == InformerState.LIVE);
		Fault away = this.api.faults().on(Requests.of("pods")).status(503);
		this.api.dropConnections();
		await().until(() -> away.hits() >= INFORMERS * 4);
		assertThat(secrets.status().state()).isEqualTo(InformerState.LIVE);
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void keyWhoseRunFailedWithTheServerIsRunWhenThatIsBackAndNotBefore() throws InterruptedException {
		this.api.resources(V1Pod.class).create(pod("default", "web"));
		AtomicInteger runs = new AtomicInteger();
		ReconcilerContainer reconciler = this.informers
			.controller(ReconcilerSpec.of("children", V1Pod.class, (pod, run) -> {
				runs.incrementAndGet();
				run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name("child")));
				return Result.done();
			}).withRetry(new ReconcilerSpec.Retry(Duration.ofMillis(10), 1, Duration.ofHours(1), 0)));
		reconciler.start();
		assertThat(reconciler.awaitIdle(LONG)).isTrue();
		this.api.resources(V1ConfigMap.class).delete("default", "child");
		Fault away = lose(Duration.ZERO);
		await().until(() -> away.hits() >= 2);
		reconciler.triggerAll();
		await().until(() -> reconciler.status().runs().failed() > 0);
		int hits = away.hits();
		await().until(() -> away.hits() >= hits + 4);
		assertThat(runs).hasValueLessThanOrEqualTo(3);
		assertThat(reconciler.status().queue().failingKeys()).isOne();
		away.remove();
		await().atMost(LONG).until(() -> this.api.resources(V1ConfigMap.class).get("default", "child") != null);
		assertThat(reconciler.awaitIdle(LONG)).isTrue();
		assertThat(reconciler.status().queue().failingKeys()).isZero();
	}

	@Test
	void serverThatFailsOverOneConnectionIsAskedOverAnother() {
		this.informers.close();
		ApiClient client = EngineTestSupport.client(this.api.url(), Protocol.H2_PRIOR_KNOWLEDGE);
		client.setHttpClient(client.getHttpClient().newBuilder().addNetworkInterceptor(this::failIfSick).build());
		this.informers = informers(client);
		start();
		// As a balancer that leads the next connection to the one server that is sick.
		this.sickness.set(true);
		this.api.dropConnections();
		await().until(() -> this.sick.get() != null && live() == 0);
		await().atMost(LONG).until(() -> live() == INFORMERS);
	}

	private Response failIfSick(Interceptor.Chain chain) throws IOException {
		Response response = chain.proceed(chain.request());
		if (!this.sickness.get()) {
			return response;
		}
		this.sick.compareAndSet(null, chain.connection());
		if (this.sick.get() != chain.connection()) {
			return response;
		}
		response.close();
		return response.newBuilder().code(503).body(ResponseBody.create("", null)).build();
	}

	private void start() {
		IntStream.range(0, INFORMERS)
			.forEach((i) -> this.informers.informer(InformerSpec.of(V1Pod.class).withLabelSelector("n=" + i)));
		this.informers.start();
		await().atMost(LONG).until(() -> live() == INFORMERS);
		// A watch that brought an event is opened again at once.
		IntStream.range(0, INFORMERS).forEach((i) -> {
			V1Pod pod = pod("default", "pod-" + i);
			pod.getMetadata().putLabelsItem("n", Integer.toString(i));
			this.api.resources(V1Pod.class).create(pod);
		});
		await().atMost(LONG)
			.until(() -> pods().allMatch((informer) -> informer.status().watch().lastEventAt() != null));
	}

	private Fault lose(Duration retryAfter) {
		this.api.clearRequests();
		Fault away = this.api.faults().on(Requests.any()).retryAfter(retryAfter).status(503);
		this.api.dropConnections();
		return away;
	}

	private long live() {
		return pods().filter((informer) -> informer.state() == InformerState.LIVE).count();
	}

	private Stream<Informer<?>> pods() {
		return this.informers.all().stream().filter((informer) -> informer.spec().labelSelector() != null);
	}

}
