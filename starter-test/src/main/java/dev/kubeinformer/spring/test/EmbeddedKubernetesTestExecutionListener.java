package dev.kubeinformer.spring.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * {@link TestExecutionListener} that resets the embedded API of the context after each
 * test method. It runs before Spring resets mocks; otherwise, handlers of the deletes
 * would call mocks that are ready for the next test.
 */
class EmbeddedKubernetesTestExecutionListener extends AbstractTestExecutionListener {

	@Override
	public int getOrder() {
		// The listener with the lowest precedence runs first after a test.
		return LOWEST_PRECEDENCE;
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext()
				.getBeanProvider(EmbeddedKubernetesReset.class)
				.stream()
				.forEach(EmbeddedKubernetesReset::run);
		}
	}

}
