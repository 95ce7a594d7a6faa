package dev.kubeinformer;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.ConnectionPool;
import okhttp3.Dns;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Recovery of informers and reconcilers after an outage of the API server, with
 * production durations, over HTTP/2 with TLS. The outages overlap; the phases before and
 * after an outage are measured alone, by the only thread of the clock.
 */
@Tag("slow")
@Timeout(180)
@TestInstance(Lifecycle.PER_CLASS)
class OutageReturnTests {

	private static final Logger figures = LoggerFactory.getLogger("figures");

	/** Time after which growing waits have become long. */
	private static final Duration AWAY = Duration.ofSeconds(20);

	private static final Duration SOON = Duration.ofSeconds(6);

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final List<Outage> outages = new ArrayList<>();

	@BeforeAll
	void begin() {
		for (Kind kind : Kind.values()) {
			this.outages.add(new Outage(kind, 1, this.clock));
			this.outages.add(new Outage(kind, 200, this.clock));
		}
	}

	@AfterAll
	void close() {
		this.clock.shutdownNow();
		this.outages.forEach(Outage::close);
	}

	List<Outage> outages() {
		return this.outages;
	}

	@ParameterizedTest
	@MethodSource("outages")
	void allAreBackWithinSecondsAfterAnOutage(Outage outage) throws Exception {
		Return figure = outage.over.get();
		figures.info("{} informers, {} for {}: the last one live after {}, the children there after {}", outage.count,
				outage.kind, figure.away(), figure.live(), figure.child());
		assertThat(figure.away()).isGreaterThanOrEqualTo(AWAY);
		assertThat(figure.live()).isLessThanOrEqualTo(SOON);
		assertThat(figure.child()).isLessThanOrEqualTo(SOON);
	}

	private static void until(Callable<Boolean> condition) {
		Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(Duration.ofSeconds(60)).until(condition);
	}

	/**
	 * Observations at the end of an outage.
	 *
	 * @param away the time for which the server was unavailable
	 * @param live the time until all informers were live
	 * @param child the time until the reconciler had done its work
	 */
	record Return(Duration away, Duration live, Duration child) {

	}

	/**
	 * API server that goes away and comes back, with the informers on it.
	 */
	private static final class Outage {

		private final CompletableFuture<Return> over = new CompletableFuture<>();

		private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().namespacesMustExist(false).start();

		private final FaultProxy network = FaultProxy.to("127.0.0.1", this.api.port());

		private final Kind kind;

		private final int count;

		private final Informers informers;

		private volatile String address = "127.0.0.1";

		private long since;

		Outage(Kind kind, int count, ScheduledExecutorService clock) {
			this.kind = kind;
			this.count = count;
			this.informers = Informers.builder(client()).build();
			clock.execute(() -> attempt(() -> {
				goAway();
				clock.schedule(() -> attempt(() -> this.over.complete(comeBack())), AWAY.toNanos(),
						TimeUnit.NANOSECONDS);
			}));
		}

		private void attempt(Executable step) {
			try {
				step.execute();
			}
			catch (Throwable ex) {
				this.over.completeExceptionally(ex);
			}
		}

		private void goAway() throws InterruptedException {
			ReconcilerContainer reconciler = start();
			create("before");
			until(() -> hasChild("before"));
			this.since = System.nanoTime();
			begin();
			until(() -> live() == 0);
			this.api.resources(V1Secret.class).delete("default", "before");
			create("meanwhile");
			reconciler.trigger(new ObjectKey("default", "before"));
		}

		private Return comeBack() {
			long returned = System.nanoTime();
			end();
			until(() -> live() == this.informers.all().size());
			Duration live = Duration.ofNanos(System.nanoTime() - returned);
			until(() -> hasChild("before") && hasChild("meanwhile"));
			Duration child = Duration.ofNanos(System.nanoTime() - returned);
			// Do not measure the others together with its work.
			this.informers.close();
			return new Return(Duration.ofNanos(returned - this.since), live, child);
		}

		private ApiClient client() {
			ApiClient client = new ApiClient();
			client.setBasePath("https://localhost:" + this.network.port());
			client.setSslCaCert(new ByteArrayInputStream(this.api.caCertificate().getBytes(StandardCharsets.US_ASCII)));
			Dns names = (name) -> List.of(InetAddress.getByName(this.address));
			return client.setHttpClient(
					client.getHttpClient().newBuilder().connectionPool(new ConnectionPool()).dns(names).build());
		}

		private ReconcilerContainer start() throws InterruptedException {
			ReconcilerContainer reconciler = this.informers
				.controller(ReconcilerSpec.of("children", V1ConfigMap.class, (primary, run) -> {
					run.apply(new V1Secret().metadata(new V1ObjectMeta().name(primary.getMetadata().getName())));
					return Result.done();
				}));
			for (int i = 1; i < this.count; i++) {
				this.informers.informer(InformerSpec.of(V1ConfigMap.class).withLabelSelector("number=" + i));
			}
			reconciler.start();
			this.informers.start();
			assertThat(reconciler.awaitIdle(Duration.ofSeconds(60))).isTrue();
			until(() -> live() == this.informers.all().size());
			return reconciler;
		}

		private void begin() {
			switch (this.kind) {
				case REFUSED -> this.network.refuse();
				case UNAVAILABLE -> this.api.faults().on(Requests.any()).status(503);
				case HANGING -> this.network.hang();
				case FROZEN -> this.api.faults().on(Requests.any()).freeze();
				case MOVED -> this.address = "127.0.0.2";
			}
			this.network.dropConnections();
		}

		private void end() {
			switch (this.kind) {
				case REFUSED, HANGING -> this.network.restore();
				case UNAVAILABLE, FROZEN -> this.api.faults().clear();
				case MOVED -> this.address = "127.0.0.1";
			}
		}

		private void create(String name) {
			this.api.resources(V1ConfigMap.class)
				.create(new V1ConfigMap().metadata(new V1ObjectMeta().name(name).namespace("default")));
		}

		private boolean hasChild(String name) {
			return this.api.resources(V1Secret.class).get("default", name) != null;
		}

		private long live() {
			return this.informers.all()
				.stream()
				.filter((informer) -> informer.status().state() == InformerState.LIVE)
				.count();
		}

		void close() {
			this.informers.close();
			this.network.close();
			this.api.close();
		}

		@Override
		public String toString() {
			return this.count + " informers, " + this.kind;
		}

	}

	/** Kind of an outage. */
	enum Kind {

		/** No process listens. */
		REFUSED,

		/** Each request is answered with an error. */
		UNAVAILABLE,

		/** Connections are accepted, and nothing more. */
		HANGING,

		/** Requests are accepted, and nothing more. */
		FROZEN,

		/** Its name leads to an address where it is not. */
		MOVED

	}

}
