package dev.kubeinformer.test.internal.cel;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.schema.RuleEngine;

/**
 * Finds the engine for the rules of custom resources ({@code x-kubernetes-validations}).
 */
public final class RuleEngines {

	private static final Logger logger = LoggerFactory.getLogger(RuleEngines.class);

	private static final String LIBRARY = "dev.cel.bundle.CelFactory";

	private RuleEngines() {
	}

	/**
	 * Returns the engine for a server.
	 * @return an engine that evaluates rules if the library {@code dev.cel:cel} is on the
	 * class path; otherwise an engine that skips all rules, and logs this once
	 */
	public static RuleEngine find() {
		try {
			Class.forName(LIBRARY, false, RuleEngines.class.getClassLoader());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			logger.debug("There is no '{}'", LIBRARY, ex);
			return new Skipping();
		}
		return new CelRules();
	}

	/**
	 * Engine that skips all rules, because the library is not on the class path.
	 */
	private static final class Skipping implements RuleEngine {

		private final AtomicBoolean said = new AtomicBoolean();

		@Override
		public Program compile(String expression, JsonNode schema, boolean resource, boolean optional) {
			if (this.said.compareAndSet(false, true)) {
				logger.warn("Rules of CustomResourceDefinitions (x-kubernetes-validations) are not evaluated, because "
						+ "there is no library for them; add 'dev.cel:cel' to the test class path");
			}
			return RuleEngine.NONE.compile(expression, schema, resource, optional);
		}

	}

}
