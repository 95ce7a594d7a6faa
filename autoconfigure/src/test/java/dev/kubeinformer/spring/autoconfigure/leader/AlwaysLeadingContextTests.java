package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.Leadership;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks of a replica without others, in an application context.
 */
class AlwaysLeadingContextTests {

	@Test
	void taskShouldEndWhenTheContextIsClosed() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		new ApplicationContextRunner().withUserConfiguration(AloneConfiguration.class).run((context) -> {
			context.getBean(Leadership.class).runWhileLeader("task", (term) -> {
				begun.countDown();
				try {
					new CountDownLatch(1).await();
				}
				finally {
					ended.countDown();
				}
			});
			assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(ended.getCount()).isEqualTo(1);
		});
		assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
	}

	/**
	 * Declares the type that the configuration of the starter declares.
	 */
	@Configuration(proxyBeanMethods = false)
	static class AloneConfiguration {

		@Bean
		Leadership leadership() {
			return LeaderElector.always();
		}

	}

}
