package dev.kubeinformer.spring.leader;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the events of terms.
 */
class LeadershipEventTests {

	private final FakeLeadership leadership = new FakeLeadership();

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withBean(Leadership.class, () -> this.leadership)
		.withBean(Recorder.class);

	@Test
	void termsShouldBePublishedInTheirOrder() {
		this.runner.run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			this.leadership.grant();
			this.leadership.lose();
			this.leadership.grant();
			await().until(() -> recorder.events.size() == 3);
			assertThat(recorder.events).extracting(Object::toString)
				.containsExactly("LeadershipGrantedEvent[term 1]", "LeadershipRevokedEvent[term 1, EXPIRED]",
						"LeadershipGrantedEvent[term 2]");
			LeadershipGrantedEvent granted = (LeadershipGrantedEvent) recorder.events.get(2);
			assertThat(granted.getLeadership()).isSameAs(this.leadership);
			assertThat(granted.getTerm()).isEqualTo(this.leadership.term());
			LeadershipRevokedEvent revoked = (LeadershipRevokedEvent) recorder.events.get(1);
			assertThat(revoked.getLeadership()).isSameAs(this.leadership);
			assertThat(revoked.getTerm().number()).isOne();
			assertThat(revoked.getReason()).isEqualTo(RevocationReason.EXPIRED);
		});
	}

	@Test
	void slowListenerShouldDelayNoTerm() {
		this.runner.run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			recorder.go = new CountDownLatch(1);
			this.leadership.grant();
			this.leadership.lose();
			assertThat(recorder.events).isEmpty();
			recorder.go.countDown();
			await().until(() -> recorder.events.size() == 2);
		});
	}

	@Test
	void failingListenerShouldNotHoldUpFurtherEvents() {
		this.runner.run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			recorder.failing = true;
			this.leadership.grant();
			await().until(() -> recorder.events.size() == 1);
			this.leadership.lose();
			await().until(() -> recorder.events.size() == 2);
		});
	}

	@Test
	void eventsBeforeTheStopShouldBePublished() {
		this.runner.run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			recorder.go = new CountDownLatch(1);
			this.leadership.grant();
			this.leadership.lose();
			Thread closing = new Thread(context::close);
			closing.start();
			recorder.go.countDown();
			closing.join(20_000);
			assertThat(recorder.events).hasSize(2);
		});
	}

	@Test
	void childContextShouldPublishNothingOfItsParent() {
		this.runner.run((context) -> {
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(context);
				child.register(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class);
				child.refresh();
				assertThat(child.getBean(Leadership.class)).isSameAs(this.leadership);
				this.leadership.grant();
				await().until(() -> !context.getBean(Recorder.class).events.isEmpty());
				this.leadership.lose();
				await().until(() -> context.getBean(Recorder.class).events.size() == 2);
			}
			this.leadership.grant();
			await().until(() -> context.getBean(Recorder.class).events.size() == 3);
		});
	}

	@Test
	void listenersOfAChildContextShouldGetEachEventOnce() {
		this.runner.run((context) -> {
			List<Recorder> recorders = new ArrayList<>();
			try (AnnotationConfigApplicationContext child = child(context);
					AnnotationConfigApplicationContext grandchild = child(child)) {
				for (ApplicationContext each : List.of(context, child, grandchild)) {
					recorders.add(each.getBean(Recorder.class));
				}
				this.leadership.grant();
				this.leadership.lose();
				await().until(() -> recorders.stream().allMatch((recorder) -> recorder.events.size() >= 2));
			}
			// Events that were on their way at the stop have arrived, too.
			assertThat(recorders).allSatisfy((recorder) -> assertThat(recorder.events).hasSize(2));
		});
	}

	private static AnnotationConfigApplicationContext child(ApplicationContext parent) {
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setParent(parent);
		child.register(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class, Recorder.class);
		child.refresh();
		return child;
	}

	@Test
	void electionInAChildContextAloneShouldBeRefused() {
		InformerContextRunner.withoutCluster()
			.run((context) -> InformerContextRunner.withoutCluster()
				.withParent(context)
				.withPropertyValues("kubernetes.leader.enabled=true")
				.run((child) -> assertThat(child).getFailure()
					.rootCause()
					.isInstanceOfSatisfying(InformerConfigurationException.class,
							(ex) -> assertThat(ex.getAction()).contains("environment of the parent context"))
					.hasMessageContaining("'kubernetes.leader.enabled' is true in a child context")));
	}

	@Test
	void electionInAChildContextShouldBeThatOfItsParent() {
		this.runner.run((context) -> InformerContextRunner.withoutCluster()
			.withParent(context)
			.withPropertyValues("kubernetes.leader.enabled=true")
			.run((child) -> assertThat(child).hasNotFailed().getBean(Leadership.class).isSameAs(this.leadership)));
	}

	static class Recorder {

		private final List<ApplicationEvent> events = new CopyOnWriteArrayList<>();

		private volatile boolean failing;

		private volatile CountDownLatch go = new CountDownLatch(0);

		@EventListener
		void granted(LeadershipGrantedEvent event) throws InterruptedException {
			record(event);
		}

		@EventListener
		void revoked(LeadershipRevokedEvent event) throws InterruptedException {
			record(event);
		}

		private void record(ApplicationEvent event) throws InterruptedException {
			this.go.await(20, TimeUnit.SECONDS);
			this.events.add(event);
			if (this.failing) {
				throw new IllegalStateException("fails");
			}
		}

	}

}
