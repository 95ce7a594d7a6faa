package dev.kubeinformer.spring.test;

import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import dev.kubeinformer.spring.test.InformersConfiguration.PodHandler;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the reset in tests with transactions.
 */
class TransactionTests {

	@Test
	void resetThatWaitsForTheTransactionOfTheTestShouldNameIt() throws Exception {
		TestContextManager manager = new TestContextManager(TransactionalCase.class);
		ApplicationContext context = manager.getTestContext().getApplicationContext();
		PodHandler handler = context.getBean(PodHandler.class);
		Transactions transactions = context.getBean(Transactions.class);
		TransactionalCase test = new TransactionalCase();
		try {
			manager.beforeTestMethod(test, TransactionalCase.class.getDeclaredMethod("test"));
			transactions.released = handler.close();
			context.getBean(EmbeddedKubernetes.class).resources(V1Pod.class).create(InformersConfiguration.pod("one"));
			await().until(() -> handler.calls().contains("ADD one"));
			assertThatExceptionOfType(ResetTimeoutException.class)
				.isThrownBy(
						() -> manager.afterTestMethod(test, TransactionalCase.class.getDeclaredMethod("test"), null))
				.withMessageContaining("handler 'podHandler' of informer 'pods'")
				.withMessageContaining("The transaction of the test is still open")
				.withMessageContaining("TestTransaction");
			await().until(() -> handler.calls().contains("DELETE one"));
		}
		finally {
			manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
		}
		assertThat(handler.calls()).containsExactly("ADD one", "DELETE one");
	}

	@SpringJUnitConfig(TransactionalConfiguration.class)
	@EmbeddedKubernetesTest
	@Transactional
	static class TransactionalCase {

		void test() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ InformersConfiguration.class, Transactions.class })
	static class TransactionalConfiguration {

	}

	/**
	 * Transactions of nothing, whose end a handler waits for.
	 */
	static class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private transient CountDownLatch released = new CountDownLatch(0);

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.released.countDown();
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.released.countDown();
		}

	}

}
