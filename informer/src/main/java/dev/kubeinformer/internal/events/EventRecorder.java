package dev.kubeinformer.internal.events;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.internal.transport.RunCalls;

/**
 * Reports Kubernetes events about the objects of a reconciler. If the API server rejects
 * an event, no exception is thrown.
 */
public interface EventRecorder {

	/**
	 * Reports an event.
	 * @param regarding the object that the event is about
	 * @param type the type
	 * @param reason the reason
	 * @param note the text
	 * @param calls the requests of the reporting run
	 */
	void report(KubernetesObject regarding, EventType type, String reason, String note, RunCalls calls);

}
