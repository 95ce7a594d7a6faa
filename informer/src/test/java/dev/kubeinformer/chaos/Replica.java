package dev.kubeinformer.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1ServiceAccount;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.FastInformers;
import dev.kubeinformer.Informers;
import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.Leadership.Term;
import dev.kubeinformer.test.FaultProxy;

/**
 * A replica of an application behind a network of its own: an elector, and reconcilers
 * that give each parent a child whose name the API server makes up, so that none of them
 * is refused if there is one already.
 */
final class Replica implements AutoCloseable {

	/** The reconciler that runs where its replica leads. */
	static final String LED = "led";

	/** Reconciler that runs in one replica, on the leader or a standby. */
	static final String ALONE = "alone";

	/** The label of each child, whose value is its reconciler. */
	static final String CHILD = "chaos-child";

	/** The label of each child with the UID of its parent. */
	private static final String PARENT = "chaos-parent";

	/** The annotation with the value of the parent. */
	static final String VALUE = "chaos/value";

	/** The annotation with the number of the term in which the child was written. */
	static final String TERM = "chaos/term";

	static final Duration LEASE_DURATION = Duration.ofSeconds(8);

	private static final Duration RENEW_DEADLINE = Duration.ofSeconds(5);

	private static final Duration RETRY_PERIOD = Duration.ofSeconds(1);

	private final String name;

	private final Oversight oversight;

	private final FaultProxy network;

	private final ApiClient client;

	private final Informers informers;

	private final LeaderElector elector;

	private final AtomicLong failures = new AtomicLong();

	/**
	 * Creates a replica, which does nothing until it is started.
	 * @param name the name
	 * @param kubeconfig the cluster
	 * @param lease the name of the Lease
	 * @param tuning is applied to its client
	 * @param oversight sees its runs
	 */
	Replica(String name, Path kubeconfig, String lease, UnaryOperator<ApiClient> tuning, Oversight oversight)
			throws IOException {
		this.name = name;
		this.oversight = oversight;
		this.network = ClusterSupport.network(kubeconfig);
		this.client = tuning.apply(ClusterSupport.proxied(kubeconfig, this.network));
		this.informers = FastInformers.builder(this.client).build();
		this.elector = LeaderElector.of(() -> this.client,
				LeaderSpec.of("default", lease)
					.withIdentity(name)
					.withTimes(LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD));
	}

	/**
	 * Adds the reconciler that runs where this replica leads.
	 * @return this replica
	 */
	Replica led() {
		CoreV1Api core = new CoreV1Api(this.client);
		Children<V1Secret> children = new Children<>(LED, V1Secret.class,
				(metadata) -> new V1Secret().metadata(metadata), (namespace,
						selector) -> core.listNamespacedSecret(namespace).labelSelector(selector).execute().getItems());
		this.informers.controller(spec(children).withLeadership(this.elector));
		return this;
	}

	/**
	 * Adds the reconciler that runs on the leader or a standby.
	 * @return this replica
	 */
	Replica alone() {
		CoreV1Api core = new CoreV1Api(this.client);
		this.informers.controller(spec(
				new Children<>(ALONE, V1ServiceAccount.class, (metadata) -> new V1ServiceAccount().metadata(metadata),
						(namespace, selector) -> core.listNamespacedServiceAccount(namespace)
							.labelSelector(selector)
							.execute()
							.getItems())));
		return this;
	}

	private <C extends KubernetesObject> ReconcilerSpec<Parent> spec(Children<C> children) {
		String id = children.reconciler();
		return ReconcilerSpec
			.of(id, Parent.class, (parent, run) -> watched(id, run, () -> reconcile(parent, run, children)))
			.withOwned(children.type())
			.withCleanup("chaos.example.com/" + id, (parent, run) -> watched(id, run, () -> cleanUp(run, children)))
			.withRetry(new Retry(Duration.ofMillis(100), 2, Duration.ofSeconds(3), 0.5))
			// A run on a cache that is behind its own writes would make a second child.
			.withOwnWritesTimeout(Duration.ofMinutes(10))
			.withDrainTimeout(Duration.ofSeconds(2))
			.withListener(new ReconcilerListener() {

				@Override
				public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
					if (run.outcome() == RunOutcome.ERROR) {
						Replica.this.failures.incrementAndGet();
					}
				}

			});
	}

	private Result watched(String id, Reconciliation<Parent> run, Work work) throws ApiException {
		String who = this.name + " in term " + term();
		this.oversight.begin(id, run.key(), who);
		try {
			return work.run();
		}
		finally {
			this.oversight.end(id, run.key(), who);
		}
	}

	private <C extends KubernetesObject> Result reconcile(Parent parent, Reconciliation<Parent> run,
			Children<C> children) throws ApiException {
		List<C> present = children.of(run);
		if (present.size() > 1) {
			this.oversight.wrong("A run of %s of %s by %s sees %d children: %s".formatted(children.reconciler(),
					run.key(), this.name, present.size(), present.stream().map(Version::key).toList()));
		}
		String value = Long.toString(parent.getValue());
		if (present.isEmpty()) {
			run.create(children.make()
				.apply(new V1ObjectMeta().generateName(run.key().name() + "-")
					.labels(Map.of(CHILD, children.reconciler(), PARENT, parent.getMetadata().getUid()))
					.annotations(Map.of(VALUE, value, TERM, term()))));
		}
		else if (!value.equals(present.get(0).getMetadata().getAnnotations().get(VALUE))) {
			run.patch(present.get(0), PatchFormat.MERGE,
					"{\"metadata\": {\"annotations\": {\"%s\": \"%s\", \"%s\": \"%s\"}}}".formatted(VALUE, value, TERM,
							term()));
		}
		return Result.done();
	}

	private static <C extends KubernetesObject> Result cleanUp(Reconciliation<Parent> run, Children<C> children)
			throws ApiException {
		for (C child : children.of(run)) {
			run.delete(child);
		}
		return Result.done();
	}

	private String term() {
		Term term = this.elector.term();
		return (term != null) ? Long.toString(term.number()) : "0";
	}

	void start() {
		this.informers.start();
		this.informers.reconcilers().all().forEach(ReconcilerContainer::start);
		this.elector.start();
	}

	/**
	 * Stops in the order in which an application does: no run goes on when the Lease is
	 * released.
	 */
	void stop() {
		this.elector.stop();
		this.informers.reconcilers().all().forEach(ReconcilerContainer::stop);
		this.informers.stop();
	}

	LeaderElector elector() {
		return this.elector;
	}

	FaultProxy network() {
		return this.network;
	}

	long failures() {
		return this.failures.get();
	}

	/**
	 * Closes connections that no request uses.
	 */
	void closeIdleConnections() {
		this.client.getHttpClient().connectionPool().evictAll();
	}

	/**
	 * Returns which of its reconcilers is busy.
	 * @return the first one with its status; an empty text if all rest
	 */
	String busy() {
		return this.informers.reconcilers()
			.all()
			.stream()
			.filter((each) -> each.status().runs().active() > 0 || each.status().queue().failingKeys() > 0
					|| each.status().queue().parked() > 0)
			.map((each) -> "Reconciler '%s' of %s: %s".formatted(each.id(), this.name, each.status()))
			.findFirst()
			.orElse("");
	}

	@Override
	public void close() {
		stop();
		this.informers.close();
		this.network.close();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/** Action of a run. */
	@FunctionalInterface
	private interface Work {

		Result run() throws ApiException;

	}

	/**
	 * Lists objects from the API server.
	 *
	 * @param <C> the model class
	 */
	@FunctionalInterface
	private interface Listing<C extends KubernetesObject> {

		List<C> list(String namespace, String selector) throws ApiException;

	}

	/**
	 * The children that a reconciler makes.
	 *
	 * @param <C> the model class
	 * @param reconciler the reconciler
	 * @param type the model class
	 * @param make makes a child
	 * @param listing lists them from the API server
	 */
	private record Children<C extends KubernetesObject>(String reconciler, Class<C> type,
			Function<V1ObjectMeta, C> make, Listing<C> listing) {

		/**
		 * Returns the children of a run's parent. The caches need not show a child of an
		 * earlier run whose answer was lost, so the API server is asked after a failure.
		 */
		List<C> of(Reconciliation<Parent> run) throws ApiException {
			if (run.attempt() == 1) {
				return run.owned(this.type).list();
			}
			List<C> present = this.listing.list(run.key().namespace(),
					"%s=%s,%s=%s".formatted(CHILD, this.reconciler, PARENT, run.object().getMetadata().getUid()));
			present.forEach(run::written);
			return present;
		}

	}

}
