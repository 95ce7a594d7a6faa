package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Members of a group on a real cluster.
 */
@RequiresCluster
class ShardMembershipClusterTests {

	private static final Duration LEASE_DURATION = Duration.ofSeconds(6);

	private static final Duration RETRY_PERIOD = Duration.ofSeconds(1);

	private static final Slots SLOTS = new Slots(ShardKey.UID, 64);

	private final String group = "shards-" + UUID.randomUUID();

	private final List<ShardMembership> members = new ArrayList<>();

	/** Methods and paths of all requests of all members. */
	private final List<String> requests = new CopyOnWriteArrayList<>();

	@AfterEach
	void stop() {
		this.members.forEach(ShardMembership::stop);
	}

	private ShardMembership member(ApiClient client) {
		client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor((chain) -> {
			this.requests.add(chain.request().method() + " " + chain.request().url().encodedPath());
			return chain.proceed(chain.request());
		}).build());
		ShardMembership member = ShardMembership.of(() -> client,
				ShardsSpec.of("default", this.group, SLOTS)
					.withIdentity("pod-" + this.members.size())
					.withTimes(LEASE_DURATION, Duration.ofSeconds(4), RETRY_PERIOD));
		this.members.add(member);
		member.start();
		return member;
	}

	private static void awaitBalance(ShardMembership... members) {
		ElectorRig.await().atMost(Duration.ofSeconds(60)).until(() -> ShardRig.isBalanced(members));
	}

	private List<V1Lease> leases(Path kubeconfig) throws IOException, ApiException {
		return new CoordinationV1Api(ClusterSupport.client(kubeconfig)).listNamespacedLease("default")
			.labelSelector("kubeinformer.dev/shards=" + this.group)
			.execute()
			.getItems();
	}

	@Test
	void slotsFollowTheNumberOfMembers(Path kubeconfig) throws IOException, ApiException {
		ShardMembership first = member(ClusterSupport.client(kubeconfig));
		awaitBalance(first);
		ShardMembership second = member(ClusterSupport.client(kubeconfig));
		ShardMembership third = member(ClusterSupport.client(kubeconfig));
		ShardMembership fourth = member(ClusterSupport.client(kubeconfig));
		ShardMembership fifth = member(ClusterSupport.client(kubeconfig));
		awaitBalance(first, second, third, fourth, fifth);
		assertThat(first.status().lost()).isEqualTo(64 - first.slots().size());
		atRest(first, second, third, fourth, fifth);
		long start = System.nanoTime();
		fourth.stop();
		fifth.stop();
		awaitBalance(first, second, third);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
		ElectorRig.await().until(() -> leases(kubeconfig).size() == 3);
		assertThat(leases(kubeconfig)).allSatisfy((lease) -> {
			assertThat(lease.getSpec().getHolderIdentity()).startsWith("pod-");
			assertThat(lease.getMetadata().getAnnotations()).containsEntry("kubeinformer.dev/slots", "64 by uid");
		});
		fourth.start();
		fifth.start();
		awaitBalance(first, second, third, fourth, fifth);
		assertThat(fifth.status().lastError()).isNull();
	}

	/**
	 * Requires that each member sends one renewal in each retry period and nothing else.
	 */
	private void atRest(ShardMembership... quiet) {
		long settled = renewals(quiet);
		ElectorRig.await().until(() -> renewals(quiet) >= settled + 2L * quiet.length);
		this.requests.clear();
		long start = System.nanoTime();
		ElectorRig.await().until(() -> this.requests.size() >= 4 * quiet.length);
		List<String> sent = List.copyOf(this.requests);
		double periods = (System.nanoTime() - start) / (double) RETRY_PERIOD.toNanos();
		assertThat(sent).allMatch((request) -> request.startsWith("PUT "));
		assertThat(sent.size()).isLessThanOrEqualTo((int) Math.ceil(quiet.length * (periods + 1)));
	}

	private static long renewals(ShardMembership... members) {
		long renewals = 0;
		for (ShardMembership member : members) {
			renewals += member.status().renewals();
		}
		return renewals;
	}

	@Test
	void slotsOfAMemberThatIsGoneAreTakenWithinTheBound(Path kubeconfig) throws IOException, ApiException {
		try (FaultProxy network = ClusterSupport.network(kubeconfig)) {
			ShardMembership gone = member(ClusterSupport.proxied(kubeconfig, network));
			ShardMembership other = member(ClusterSupport.client(kubeconfig));
			awaitBalance(gone, other);
			network.freeze();
			long start = System.nanoTime();
			ElectorRig.await().atMost(Duration.ofSeconds(60)).until(() -> {
				ShardRig.requireDisjoint(gone, other);
				return other.slots().size() == 64;
			});
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(
					LEASE_DURATION.minus(RETRY_PERIOD.multipliedBy(2)), LEASE_DURATION.plus(Duration.ofSeconds(5)));
			assertThat(gone.slots()).isEmpty();
			network.thaw();
			awaitBalance(gone, other);
			gone.stop();
		}
	}

	@Test
	void handoverTakesLessThanASecond(Path kubeconfig) throws IOException {
		ShardMembership first = member(ClusterSupport.client(kubeconfig));
		ShardMembership second = member(ClusterSupport.client(kubeconfig));
		awaitBalance(first, second);
		long start = System.nanoTime();
		second.stop();
		awaitBalance(first);
		Duration taken = Duration.ofNanos(System.nanoTime() - start);
		assertThat(taken).isLessThan(Duration.ofSeconds(2));
	}

}
