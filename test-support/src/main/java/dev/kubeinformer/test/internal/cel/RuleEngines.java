package dev.kubeinformer.test.internal.cel;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.schema.RuleEngine;

/**
 * Finds the engine that evaluates rules, if its library is on the class path.
 */
public final class RuleEngines {

	private static final Logger logger = LoggerFactory.getLogger(RuleEngines.class);

	private static final String LIBRARY = "dev.cel.bundle.CelFactory";

	private RuleEngines() {
	}

	/**
	 * Returns the engine for a server.
	 * @return an engine that evaluates rules if the library is on the class path;
	 * otherwise one that does not, and logs this once
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
	 * Engine that is used without the library.
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
