package dev.kubeinformer.benchmark.leader;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of three replicas of an application, each in a JVM of its own, on a real
 * kube-apiserver.
 */
@RequiresCluster
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaderReplicasClusterTests {

	private static final LeaderTimes TIMES = new LeaderTimes(Duration.ofSeconds(5), Duration.ofSeconds(3),
			Duration.ofSeconds(1));

	private static final Duration WORK = Duration.ofSeconds(1);

	private static final Duration PAUSE = Duration.ofMillis(250);

	@TempDir
	static Path logs;

	private Outage outage;

	private Fleet fleet;

	@BeforeAll
	void prepare(Path kubeconfig) throws Exception {
		this.outage = new ProxyOutage(kubeconfig);
		this.fleet = Fleet.of(TIMES, this.outage.kubeconfig(), WORK, PAUSE, logs);
	}

	@AfterAll
	void close() throws Exception {
		this.fleet.close();
		this.outage.close();
	}

	@Test
	void killedLeaderShouldHaveASuccessorInTime() throws Exception {
		assertThat(problems(new KilledTrial(this.fleet))).isEmpty();
	}

	@Test
	void stoppedLeaderShouldEndItsRunBeforeItsSuccessorBegins() throws Exception {
		assertThat(problems(new BusyTrial(this.fleet, WORK))).isEmpty();
	}

	@Test
	void suspendedLeaderShouldNeitherRunNorWriteWhenItHasASuccessor() throws Exception {
		assertThat(problems(new FrozenTrial(this.fleet))).isEmpty();
	}

	@Test
	void replicasShouldSurviveTheAbsenceOfTheApiServerAndHaveOneLeader() throws Exception {
		assertThat(problems(new AwayTrial(this.fleet, this.outage, Duration.ofSeconds(15)))).isEmpty();
	}

	private static List<String> problems(Trial trial) throws Exception {
		return TrialTable.problems(List.of(trial.run()));
	}

}
