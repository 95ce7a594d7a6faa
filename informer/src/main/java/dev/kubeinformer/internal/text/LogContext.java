package dev.kubeinformer.internal.text;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;

/**
 * Sets keys of the logging context (MDC) while a handler or reconciler works on an
 * object. The keys are set at the beginning of each delivery of an event and each run,
 * and stay set until a failure has been logged. Safe for use by several threads.
 */
public final class LogContext {

	/** Plural and group of the resource, such as {@code deployments.apps}. */
	public static final String RESOURCE = "kubernetes.resource";

	/**
	 * Namespace of the object. The key is not {@code kubernetes.namespace}, which log
	 * collectors set to the namespace of the pod that logs.
	 */
	public static final String NAMESPACE = "kubernetes.object.namespace";

	/** Name of the object. */
	public static final String NAME = "kubernetes.object.name";

	/** Id of the handler. */
	public static final String HANDLER = "kubernetes.handler";

	/** Id of the reconciler. */
	public static final String RECONCILER = "kubernetes.reconciler";

	/** Number of the attempt, from 1. */
	public static final String ATTEMPT = "kubernetes.attempt";

	/** Name of the cluster; absent for the default cluster. */
	public static final String CLUSTER = "kubernetes.cluster";

	private static final String DEFAULT_CLUSTER = "default";

	private static final Scope NONE = () -> {
	};

	private final String idKey;

	private final String id;

	private final String resource;

	private final @Nullable String cluster;

	private LogContext(String idKey, String id, String resource, String cluster) {
		this.idKey = idKey;
		this.id = id;
		this.resource = resource;
		this.cluster = cluster.equals(DEFAULT_CLUSTER) ? null : cluster;
	}

	/**
	 * Returns the context of a handler.
	 * @param id the id of the handler
	 * @param resource the plural and group of the resource
	 * @param cluster the name of the cluster
	 * @return the context
	 */
	public static LogContext ofHandler(String id, String resource, String cluster) {
		return new LogContext(HANDLER, id, resource, cluster);
	}

	/**
	 * Returns the context of a reconciler.
	 * @param id the id of the reconciler
	 * @param resource the plural and group of the primary's resource
	 * @param cluster the name of the cluster
	 * @return the context
	 */
	public static LogContext ofReconciler(String id, String resource, String cluster) {
		return new LogContext(RECONCILER, id, resource, cluster);
	}

	/**
	 * Sets the keys for the calling thread. A failure of the logging backend is ignored,
	 * because the work must not fail with it.
	 * @param namespace the namespace of the object; empty for cluster-scoped objects
	 * @param name the name of the object
	 * @param attempt the number of the attempt
	 * @return a scope that restores the previous values; the same thread must close it
	 */
	public Scope open(String namespace, String name, int attempt) {
		Values values = new Values();
		try {
			if (MDC.getMDCAdapter() instanceof NOPMDCAdapter) {
				return NONE;
			}
			values.set(this.idKey, this.id);
			values.set(RESOURCE, this.resource);
			values.set(CLUSTER, this.cluster);
			values.set(NAMESPACE, namespace.isEmpty() ? null : PrintableText.of(namespace));
			values.set(NAME, PrintableText.of(name));
			values.set(ATTEMPT, Integer.toString(attempt));
			return values;
		}
		catch (RuntimeException ex) {
			// Otherwise the keys that were already set would stay on the thread.
			values.close();
			return NONE;
		}
	}

	/**
	 * Scope in which the keys are set.
	 */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		/**
		 * Restores the values that the keys had before.
		 */
		@Override
		void close();

	}

	/**
	 * Scope that restores the values that the keys had before.
	 */
	private static final class Values implements Scope {

		private static final int KEYS = 6;

		private final String[] keys = new String[KEYS];

		private final @Nullable String[] before = new @Nullable String[KEYS];

		private int size;

		void set(String key, @Nullable String value) {
			String present = MDC.get(key);
			if (value == null && present == null) {
				return;
			}
			this.keys[this.size] = key;
			this.before[this.size] = present;
			this.size++;
			put(key, value);
		}

		private static void put(String key, @Nullable String value) {
			if (value != null) {
				MDC.put(key, value);
			}
			else {
				MDC.remove(key);
			}
		}

		@Override
		public void close() {
			for (int i = 0; i < this.size; i++) {
				try {
					put(this.keys[i], this.before[i]);
				}
				catch (RuntimeException ex) {
					// Ignore it, because the work must not fail, and restore the other
					// keys.
				}
			}
			this.size = 0;
		}

	}

}
