package dev.kubeinformer.internal.reflector;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.Codecs;
import dev.kubeinformer.internal.transport.Haste;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.internal.transport.OkHttpApiConnection;
import dev.kubeinformer.internal.transport.Selection;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Errors in what surrounds the requests, such as one of no memory, wherever they come.
 */
class ReflectorSurvivalTests {

	private static final Duration MOMENT = Duration.ofMillis(10);

	private static final ReflectorTimings TIMINGS = new ReflectorTimings(MOMENT, Duration.ofMillis(100),
			Duration.ofSeconds(2), MOMENT, Duration.ofSeconds(300), Duration.ofSeconds(5), Duration.ofMillis(300),
			Duration.ofSeconds(10), Duration.ofHours(24), Duration.ofSeconds(10), Duration.ZERO,
			Duration.ofSeconds(150), MOMENT);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1);

	private final AtomicInteger errors = new AtomicInteger();

	private final Set<String> seen = ConcurrentHashMap.newKeySet();

	private final List<InformerState> conditions = new CopyOnWriteArrayList<>();

	private final AtomicInteger failures = new AtomicInteger();

	private final Outages outages = new Outages("The API server", TIMINGS, System::nanoTime,
			ThreadLocalRandom::current);

	private ReflectorTimings timings = TIMINGS;

	private Function<String, Error> error = OutOfMemoryError::new;

	private volatile @Nullable String failing;

	private @Nullable Reflector<V1Pod> reflector;

	private @Nullable Thread thread;

	@AfterEach
	void stop() throws InterruptedException {
		this.reflector.stop();
		this.thread.join();
		this.timer.shutdownNow();
		this.api.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "condition", "begin", "listed", "replace", "notifyListeners", "watchStarted", "alive",
			"apply", "watchEnded", "failed", "random" })
	void errorOfAnyCallEndsNothing(String call) {
		create("one");
		this.errors.set(3);
		this.failing = call;
		start();
		await().until(() -> this.errors.get() < 3 || this.seen.contains("one"));
		AtomicInteger more = new AtomicInteger();
		await().until(() -> {
			// Until all of the errors have come.
			create("more-" + more.incrementAndGet());
			this.api.dropConnections();
			return this.errors.get() == 0;
		});
		create("two");
		await().until(() -> this.seen.containsAll(Set.of("one", "more-1", "two")));
		await().until(() -> this.conditions.get(this.conditions.size() - 1) == InformerState.LIVE);
		assertThat(this.thread.isAlive()).isTrue();
	}

	@Test
	void errorThatComesAgainAndAgainIsPublished() {
		create("one");
		start();
		await().until(() -> this.conditions.contains(InformerState.LIVE));
		this.errors.set(Integer.MAX_VALUE);
		this.failing = "apply";
		create("two");
		await().until(() -> this.conditions.contains(InformerState.STALE) && this.failures.get() > 0);
		await().until(() -> this.seen.contains("two"));
	}

	@Test
	void stopIsNoOutage() throws InterruptedException {
		start();
		await().until(() -> this.conditions.contains(InformerState.LIVE));
		this.reflector.stop();
		this.thread.join();
		assertThat(this.outages.isAway()).isFalse();
	}

	@Test
	void reflectorThatGaveUpWithAnOpenWatchIsNoSignOfTheServer() {
		this.error = (call) -> new NoClassDefFoundError("okhttp3/Call");
		start();
		await().until(() -> this.conditions.contains(InformerState.LIVE));
		this.errors.set(1);
		this.failing = "apply";
		create("one");
		await().until(() -> this.failures.get() > 0);
		this.outages.apply((outage, now) -> {
			Outage.Source other = outage.join();
			outage.begins(other, false, now);
			return outage.failed(other, new Failure(Problem.REFUSED_CONNECTION, null, "", ""), now);
		});
		assertThat(this.outages.isAway()).isTrue();
	}

	@Test
	void reflectorThatWaitsAfterAnErrorSendsNoRequest() {
		Duration day = Duration.ofDays(1);
		this.timings = new ReflectorTimings(day, day, Duration.ofSeconds(2), MOMENT, Duration.ofSeconds(300),
				Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofSeconds(10), Duration.ofHours(24),
				Duration.ofSeconds(10), Duration.ZERO, Duration.ofSeconds(150), MOMENT);
		create("one");
		this.errors.set(1);
		this.failing = "listed";
		start();
		await().until(() -> this.failures.get() > 0);
		AtomicReference<@Nullable Haste> haste = new AtomicReference<>();
		this.outages.apply((outage, now) -> {
			Outage.Source other = outage.join();
			outage.begins(other, false, now);
			outage.failed(other, new Failure(Problem.REFUSED_CONNECTION, null, "", ""), now);
			haste.set(outage.begins(other, false, now + day.toNanos()));
			return null;
		});
		assertThat(haste.get().answer()).as("the other one is alone").isGreaterThan(Duration.ofMinutes(1));
	}

	private void create(String name) {
		this.api.resources(V1Pod.class)
			.create(new V1Pod().metadata(new V1ObjectMeta().namespace("default").name(name)));
	}

	private void start() {
		ApiClient client = new ApiClient();
		client.setBasePath(this.api.url());
		ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
		JsonMappers mappers = new JsonMappers(false);
		ApiConnections connections = new ApiConnections(client,
				new ApiConnections.Deadlines(TIMINGS.idleTimeout(), TIMINGS.idleTimeout(), TIMINGS.watchOverrun()),
				System::nanoTime);
		Negotiation negotiation = new Negotiation(false, new Negotiation.Wanted(false, false), (why) -> {
		}, System::nanoTime);
		this.reflector = new Reflector<>(
				new OkHttpApiConnection<>(connections, type, new Selection(null, null, null), mappers,
						new Codecs<>(new JsonCodec<>(type, mappers), null), negotiation),
				sink(),
				new Reflector.Options(this.timings, ListMode.PAGED, 0, System::nanoTime, this::random, this.timer),
				new SyncSlots(1, Duration.ofSeconds(10), System::nanoTime), this.outages, "");
		this.thread = new Thread(this.reflector);
		this.thread.start();
	}

	private RandomGenerator random() {
		failIf("random");
		return ThreadLocalRandom.current();
	}

	private void failIf(String call) {
		if (call.equals(this.failing) && this.errors.get() > 0) {
			this.errors.decrementAndGet();
			throw this.error.apply("of " + call);
		}
	}

	@SuppressWarnings("unchecked")
	private ReflectorSink<V1Pod> sink() {
		return (ReflectorSink<V1Pod>) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ReflectorSink.class }, (proxy, method, arguments) -> {
					failIf(method.getName());
					switch (method.getName()) {
						case "listed" -> {
							return arguments[0];
						}
						case "replace" -> ((List<DecodedObject<V1Pod>>) arguments[0])
							.forEach((object) -> this.seen.add(object.metadata().name()));
						case "apply" -> this.seen.add(((WatchFrame<V1Pod>) arguments[0]).object().metadata().name());
						case "condition" -> this.conditions.add((InformerState) arguments[0]);
						case "failed" -> this.failures.incrementAndGet();
						default -> {
							// The others only fail.
						}
					}
					return (method.getReturnType() == boolean.class) ? false : null;
				});
	}

}
