package dev.kubeinformer.spring.reconciler.method;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.ReconcileRequest;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Argument of a method that reconciles or cleans up.
 */
@FunctionalInterface
interface RunArgument {

	/** Private copy of the primary. */
	RunArgument OBJECT = (object, run) -> object;

	/** The {@link Reconciliation} of the run. */
	RunArgument RUN = (object, run) -> run;

	/**
	 * The {@link ReconcileRequest} of the run, which contains the key but not the object.
	 */
	RunArgument REQUEST = RunArgument::request;

	/**
	 * Returns the objects of a class that the primary owns, or their metadata.
	 * @param model the model of the owned objects
	 * @return the argument
	 */
	static RunArgument owned(ModelType model) {
		return model.metadata() ? (object, run) -> run.ownedMetadata(model.objectClass())
				: (object, run) -> run.owned(model.objectClass());
	}

	private static ReconcileRequest<?> request(KubernetesObject object, Reconciliation<?> run) {
		// An object from a server has a UID.
		String uid = Objects.requireNonNull(object.getMetadata().getUid());
		return new ReconcileRequest<>(run.key(), uid, run.attempt());
	}

	/**
	 * Returns the argument for a run.
	 * @param object the private copy of the primary
	 * @param run the run
	 * @return the argument
	 */
	Object of(KubernetesObject object, Reconciliation<?> run);

}
