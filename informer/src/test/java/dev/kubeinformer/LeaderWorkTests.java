package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Work and listeners of an elector that hang, fail or call it back.
 */
class LeaderWorkTests {

	private final ElectorRig rig = new ElectorRig();

	private final CountDownLatch end = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.end.countDown();
		this.rig.close();
	}

	private LeaderElector leading(LeaderWork work, UnaryOperator<LeaderSpec> change) {
		LeaderElector elector = this.rig.elector(change);
		elector.register(work);
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		return elector;
	}

	private static void hang(CountDownLatch until) {
		boolean interrupted = false;
		while (true) {
			try {
				until.await();
				break;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void workAndListenersThatHangDelayNoRenewalAndNoOtherWork() {
		this.rig.patient();
		LeaderElector elector = this.rig.elector();
		RecordedWork other = new RecordedWork();
		elector.register(new RecordedWork() {

			@Override
			public void granted(Leadership.Term term) {
				hang(LeaderWorkTests.this.end);
			}

		});
		elector.register(other);
		elector.addListener(new LeadershipListener() {

			@Override
			public void renewed(Duration slack) {
				hang(LeaderWorkTests.this.end);
			}

		});
		elector.start();
		ElectorRig.await().until(elector::isLeader);
		ElectorRig.await().until(() -> other.calls.equals(List.of("granted 1")));
		this.rig.renewsOn(elector);
		this.rig.renewsOn(elector);
		assertThat(elector.term().number()).isEqualTo(1);
	}

	@Test
	void workThatFailsIsCalledAllTheSame() {
		this.rig.patient();
		RecordedWork failing = new RecordedWork() {

			@Override
			public void granted(Leadership.Term term) {
				super.granted(term);
				throw new IllegalStateException("broken");
			}

		};
		LeaderElector elector = leading(failing, (spec) -> spec);
		this.rig.renewsOn(elector);
		elector.stop();
		assertThat(failing.calls).containsExactly("granted 1", "drain");
	}

	@Test
	void leaseIsRenewedWhileWorkDrainsAndReleasedAfterwards() throws InterruptedException {
		this.rig.patient();
		CountDownLatch drained = new CountDownLatch(1);
		LeaderElector elector = leading(new RecordedWork() {

			@Override
			public boolean drain() throws InterruptedException {
				return drained.await(1, TimeUnit.MINUTES);
			}

		}, (spec) -> spec);
		Thread stopping = new Thread(elector::stop);
		stopping.start();
		ElectorRig.await().until(() -> elector.status().state() == LeaderState.DRAINING);
		this.rig.renewsOn(elector);
		this.rig.renewsOn(elector);
		assertThat(elector.isLeader()).isTrue();
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEqualTo(elector.spec().identity());
		drained.countDown();
		stopping.join(Duration.ofMinutes(1).toMillis());
		assertThat(stopping.isAlive()).isFalse();
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEmpty();
	}

	@Test
	void leaseIsNotReleasedWhenWorkDoesNotDrain() {
		RecordedWork work = new RecordedWork() {

			@Override
			public boolean drain() {
				return false;
			}

		};
		this.rig.patient();
		LeaderElector elector = leading(work, (spec) -> spec);
		elector.stop();
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEqualTo(elector.spec().identity());
		ElectorRig.await().until(() -> work.calls.equals(List.of("granted 1", "lost")));
	}

	@Test
	void drainThatHangsIsGivenUp() {
		AtomicBoolean lost = new AtomicBoolean();
		LeaderElector elector = leading(new RecordedWork() {

			@Override
			public boolean drain() {
				hang(LeaderWorkTests.this.end);
				return true;
			}

			@Override
			public void lost() {
				lost.set(true);
			}

		}, (spec) -> spec.withDrainTimeout(Duration.ofMillis(500)));
		elector.stop();
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEqualTo(elector.spec().identity());
		// Beside the drain, as that does not end.
		ElectorRig.await().untilTrue(lost);
	}

	@Test
	void drainIsInterruptedWhenTheTermIsLostMeanwhile() {
		AtomicBoolean interrupted = new AtomicBoolean();
		CountDownLatch draining = new CountDownLatch(1);
		RecordedWork work = new RecordedWork() {

			@Override
			public boolean drain() throws InterruptedException {
				draining.countDown();
				try {
					return LeaderWorkTests.this.end.await(1, TimeUnit.MINUTES);
				}
				catch (InterruptedException ex) {
					interrupted.set(true);
					throw ex;
				}
			}

		};
		LeaderElector elector = leading(work, (spec) -> spec);
		elector.yield();
		ElectorRig.await().until(() -> draining.getCount() == 0);
		Fault hung = this.rig.api.faults().on(Requests.of("leases")).freeze();
		ElectorRig.await().untilTrue(interrupted);
		ElectorRig.await().until(() -> work.calls.equals(List.of("granted 1", "lost")));
		hung.remove();
	}

	@Test
	void stopFromWorkDoesNotWaitForItself() {
		this.rig.patient();
		LeaderElector elector = this.rig.elector();
		CountDownLatch stopped = new CountDownLatch(1);
		elector.register(new RecordedWork() {

			@Override
			public void granted(Leadership.Term term) {
				elector.stop();
				stopped.countDown();
			}

		});
		elector.start();
		ElectorRig.await().until(() -> stopped.getCount() == 0 && elector.status().state() == LeaderState.STOPPED);
		assertThat(this.rig.lease().getSpec().getHolderIdentity()).isEmpty();
	}

	@Test
	void startWhileAStopIsUnderWayStartsAgain() {
		this.rig.patient();
		LeaderElector elector = this.rig.elector();
		AtomicBoolean restarted = new AtomicBoolean();
		elector.addListener(new LeadershipListener() {

			@Override
			public void granted(Leadership.Term term) {
				if (term.number() == 1) {
					elector.stop();
					elector.start();
					restarted.set(true);
				}
			}

		});
		elector.start();
		ElectorRig.await().untilTrue(restarted);
		ElectorRig.await().until(() -> ElectorRig.leads(elector, 2));
		assertThat(elector.isRunning()).isTrue();
	}

	@Test
	void taskRunsAgainInTheNextTermAndNeverBesideItself() {
		this.rig.patient();
		List<Long> terms = new CopyOnWriteArrayList<>();
		LeaderElector elector = this.rig.elector();
		Leadership.Registration registration = elector.runWhileLeader("task", (term) -> {
			terms.add(term.number());
			this.end.await();
		});
		elector.start();
		ElectorRig.await().until(() -> terms.equals(List.of(1L)));
		elector.stop();
		elector.start();
		ElectorRig.await().until(() -> terms.equals(List.of(1L, 2L)));
		registration.close();
		this.rig.renewsOn(elector);
		assertThat(terms).containsExactly(1L, 2L);
	}

}
