package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Electors on a real cluster.
 */
@RequiresCluster
class LeaderElectorClusterTests {

	private static final Duration LEASE_DURATION = Duration.ofSeconds(6);

	private static final Duration RETRY_PERIOD = Duration.ofSeconds(1);

	private final String name = "election-" + UUID.randomUUID();

	private final List<LeaderElector> electors = new ArrayList<>();

	@AfterEach
	void stop() {
		this.electors.forEach(LeaderElector::stop);
	}

	private LeaderElector elector(ApiClient client) {
		Supplier<ApiClient> clients = () -> client;
		LeaderElector elector = LeaderElector.of(clients,
				LeaderSpec.of("default", this.name).withTimes(LEASE_DURATION, Duration.ofSeconds(4), RETRY_PERIOD));
		this.electors.add(elector);
		elector.start();
		return elector;
	}

	private V1Lease lease(Path kubeconfig) throws IOException, ApiException {
		return new CoordinationV1Api(ClusterSupport.client(kubeconfig)).readNamespacedLease(this.name, "default")
			.execute();
	}

	@Test
	void standbyLeadsSoonAfterTheLeaderHasStopped(Path kubeconfig) throws IOException, ApiException {
		LeaderElector first = elector(ClusterSupport.client(kubeconfig));
		ElectorRig.await().until(first::isLeader);
		LeaderElector second = elector(ClusterSupport.client(kubeconfig));
		ElectorRig.await().until(() -> first.spec().identity().equals(second.holder()));
		long renewals = first.status().renewals();
		ElectorRig.await().until(() -> first.status().renewals() >= renewals + 2);
		first.stop();
		ElectorRig.await().atMost(Duration.ofSeconds(1)).until(second::isLeader);
		assertThat(lease(kubeconfig).getSpec().getHolderIdentity()).isEqualTo(second.spec().identity());
		assertThat(lease(kubeconfig).getSpec().getLeaseTransitions()).isEqualTo(2);
		assertThat(second.status().lastError()).isNull();
	}

	@Test
	void leaderThatIsCutOffIsFollowedWithinTheBound(Path kubeconfig) throws IOException {
		try (FaultProxy network = ClusterSupport.network(kubeconfig)) {
			LeaderElector first = elector(ClusterSupport.proxied(kubeconfig, network));
			ElectorRig.await().until(first::isLeader);
			LeaderElector second = elector(ClusterSupport.client(kubeconfig));
			ElectorRig.await().until(() -> first.spec().identity().equals(second.holder()));
			network.freeze();
			long start = System.nanoTime();
			ElectorRig.awaitFollower(first, second);
			assertThat(Duration.ofNanos(System.nanoTime() - start))
				.isLessThan(LEASE_DURATION.plus(RETRY_PERIOD.multipliedBy(12).dividedBy(10)).plusMillis(500));
			network.thaw();
			ElectorRig.await().until(() -> second.spec().identity().equals(first.holder()));
		}
	}

	@Test
	void leaseThatIsDeletedIsMadeAgain(Path kubeconfig) throws IOException, ApiException {
		LeaderElector elector = elector(ClusterSupport.client(kubeconfig));
		ElectorRig.await().until(elector::isLeader);
		new CoordinationV1Api(ClusterSupport.client(kubeconfig)).deleteNamespacedLease(this.name, "default").execute();
		ElectorRig.await().until(() -> elector.isLeader() && elector.term().number() == 2);
	}

}
