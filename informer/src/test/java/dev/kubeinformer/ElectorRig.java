package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Lease;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Electors on one embedded API server, with short times.
 */
public final class ElectorRig implements AutoCloseable {

	static final Duration LEASE_DURATION = Duration.ofSeconds(3);

	static final Duration RENEW_DEADLINE = Duration.ofMillis(1000);

	static final Duration RETRY_PERIOD = Duration.ofMillis(200);

	static final Duration PATIENT_DURATION = Duration.ofSeconds(30);

	static final Duration PATIENT_DEADLINE = Duration.ofSeconds(20);

	final EmbeddedKubernetes api;

	private final List<LeaderElector> electors = new ArrayList<>();

	private boolean patient;

	ElectorRig() {
		this(EmbeddedKubernetes.start());
	}

	ElectorRig(EmbeddedKubernetes api) {
		this.api = api;
	}

	public static ConditionFactory await() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	/**
	 * Lets the terms of electors that are made from now on outlast a machine that stands
	 * still for a while, for tests that wait for the end of no term.
	 */
	ElectorRig patient() {
		this.patient = true;
		return this;
	}

	LeaderSpec spec() {
		LeaderSpec spec = LeaderSpec.of("default", "app");
		return this.patient ? spec.withTimes(PATIENT_DURATION, PATIENT_DEADLINE, RETRY_PERIOD)
				: spec.withTimes(LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD);
	}

	static boolean leads(LeaderElector elector, long number) {
		Leadership.Term term = elector.term();
		return term != null && term.number() == number;
	}

	/**
	 * Waits until another elector leads, and checks all the time that it does not lead
	 * together with the previous one: the elector that is asked last must not lead if the
	 * other one already did.
	 */
	static void awaitFollower(LeaderElector before, LeaderElector follower) {
		await().until(() -> {
			boolean followed = follower.isLeader();
			assertThat(followed && before.isLeader()).as("both lead").isFalse();
			return followed;
		});
	}

	LeaderElector elector() {
		return elector((spec) -> spec);
	}

	LeaderElector elector(UnaryOperator<LeaderSpec> change) {
		return elector(this.api.url(), change);
	}

	LeaderElector elector(String url, UnaryOperator<LeaderSpec> change) {
		return add(LeaderElector.of(() -> client(url), change.apply(spec())));
	}

	LeaderElector elector(ElectorClocks clocks) {
		return add(new LeaderElector(() -> client(this.api.url()), spec(), clocks, new ElectionRules()));
	}

	LeaderElector add(LeaderElector elector) {
		this.electors.add(elector);
		return elector;
	}

	/**
	 * Starts an elector and waits until it leads.
	 */
	LeaderElector leader() {
		LeaderElector elector = elector();
		elector.start();
		await().until(elector::isLeader);
		return elector;
	}

	/**
	 * Starts an elector and waits until it has seen who leads.
	 */
	LeaderElector standby() {
		LeaderElector elector = elector();
		elector.start();
		await().until(() -> elector.holder() != null && elector.status().state() == LeaderState.STANDBY);
		return elector;
	}

	static ApiClient client(String url) {
		ApiClient client = new ApiClient(new OkHttpClient.Builder().connectionPool(new ConnectionPool())
			.protocols(List.of(Protocol.HTTP_1_1))
			.build());
		client.setBasePath(url);
		return client;
	}

	V1Lease lease() {
		return this.api.resources(V1Lease.class).get("default", "app");
	}

	void renewsOn(LeaderElector elector) {
		long renewals = elector.status().renewals();
		await().until(() -> elector.status().renewals() >= renewals + 3);
	}

	@Override
	public void close() {
		this.api.faults().clear();
		this.electors.forEach(LeaderElector::stop);
		this.api.close();
	}

}
