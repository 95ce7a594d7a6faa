package dev.kubeinformer.spring.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * {@link TestExecutionListener} that resets the embedded API of the context after each
 * test method. It does so before mocks are reset, which would else be called with the end
 * of the objects as the first thing of the next test.
 */
class EmbeddedKubernetesTestExecutionListener extends AbstractTestExecutionListener {

	@Override
	public int getOrder() {
		// The last one comes first after a test.
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
