package dev.kubeinformer.spring.console;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks tests that need Chromium. They are tagged {@code browser}, and skipped, with the
 * reason, where it is not installed.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("browser")
@ExtendWith(RequiresBrowser.Condition.class)
@interface RequiresBrowser {

	/**
	 * Skips the tests where there is no browser.
	 */
	class Condition implements ExecutionCondition {

		private static final Logger logger = LoggerFactory.getLogger(RequiresBrowser.class);

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			if (Browser.isInstalled()) {
				return ConditionEvaluationResult.enabled("There is a browser");
			}
			String reason = "Skipped '%s': there is no '%s' or no '%s' on the path (Debian: chromium, chromium-driver)"
				.formatted(context.getDisplayName(), Browser.CHROMIUM, Browser.DRIVER);
			logger.warn(reason);
			return ConditionEvaluationResult.disabled(reason);
		}

	}

}
