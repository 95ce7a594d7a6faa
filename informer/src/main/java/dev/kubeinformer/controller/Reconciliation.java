package dev.kubeinformer.controller;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.types.ObjectKey;

/**
 * Run of a reconciler for one object: what is there, and the writer. Every write is
 * recorded: no later run of the same key starts before the caches show it, or the time
 * for that has passed. It is used by the thread of the run only, until the run ends.
 * <p>
 * What the API server refuses is thrown as {@code WriteFailedException}, which is an
 * {@link ApiException} that names the write. A reconciler need not catch it: the run is
 * then tried again, after a conflict (HTTP 409) as soon as the newer version arrives.
 *
 * @param <T> the model class of the primary
 */
public interface Reconciliation<T extends KubernetesObject> {

	/**
	 * Returns namespace and name of the primary.
	 * @return the key
	 */
	ObjectKey key();

	/**
	 * Returns the name of the cluster that the primary is in.
	 * @return the name; {@code default} for the one that has no name
	 */
	default String cluster() {
		return "default";
	}

	/**
	 * Returns the number of the attempt.
	 * @return 1, and one more for each failed run before
	 */
	int attempt();

	/**
	 * Returns the primary as the cache held it when the run began, or as an earlier run
	 * has written it since. It is shared and must not be changed; the parameter of the
	 * reconciler is a private copy.
	 * @return the primary
	 */
	T object();

	/**
	 * Returns whether the primary is quarantined: the API server holds a newer state of
	 * it, which cannot be read as its class or which a transform fails on, and
	 * {@link #object()} is the last readable one, also without its deletionTimestamp.
	 * That happens to a cleanup only; there is no other run for such an object. What
	 * changes its status sends no request then.
	 * @return whether it is
	 */
	default boolean isQuarantined() {
		return false;
	}

	/**
	 * Returns the objects of a class that the primary owns.
	 * @param <C> the model class
	 * @param objectClass the model class, which the reconciler declared as owned
	 * @return the owned objects
	 * @throws IllegalArgumentException if the class was not declared
	 */
	<C extends KubernetesObject> Owned<C> owned(Class<C> objectClass);

	/**
	 * Returns the metadata of the objects of a class that the primary owns.
	 * @param <C> the model class of the whole objects
	 * @param objectClass the model class, whose metadata the reconciler declared as owned
	 * @return the metadata of the owned objects
	 * @throws IllegalArgumentException if the metadata of the class was not declared
	 * @see OwnedResource#metadata(Class)
	 */
	<C extends KubernetesObject> Owned<Metadata<C>> ownedMetadata(Class<C> objectClass);

	/**
	 * Applies an object by server-side apply (KEP-555), with the primary as its
	 * controller. {@code apiVersion}, {@code kind}, namespace and owner are filled in
	 * where they are missing; {@code status}, {@code managedFields},
	 * {@code resourceVersion}, {@code uid}, {@code creationTimestamp} and
	 * {@code generation} are left out. The request is forced, under the reconciler's
	 * field manager.
	 * <p>
	 * There is no request if the cached object has the annotation
	 * {@link ReconcilerSpec#APPLIED_ANNOTATION} of the same desired object and every
	 * value of it, or if the same was applied before and the cache shows what came of it.
	 * The first holds after a restart, too. Values are compared as the API server keeps
	 * them: quantities by what they amount to, lists by their merge keys, and values that
	 * it adds or leaves out make no difference.
	 * <p>
	 * A cache of metadata shows by the {@code resourceVersion} what came of an apply; the
	 * desired object with the metadata of the cache is returned then. An object that had
	 * a status when it was applied is always sent, since such a cache does not have it.
	 * What a transform of the cache drops is not compared: a change that another makes
	 * there alone is not undone.
	 * @param <C> the model class
	 * @param desired the desired object, with the fields that this reconciler decides; it
	 * is not changed
	 * @return the object as the API server returned it, or as the cache holds it if there
	 * was no request; not to be changed
	 * @throws ApiException if the API server refuses it
	 * @throws IllegalArgumentException if the object has no name, is namespaced otherwise
	 * than its owner allows, or is only metadata
	 * @throws IllegalStateException if the object has another controller
	 */
	<C extends KubernetesObject> C apply(C desired) throws ApiException;

	/**
	 * Applies an object that the primary cannot own, such as a {@code ClusterRole} or an
	 * object of another namespace, like {@link #apply}, but without an owner. The object
	 * gets the labels {@link UnownedResource#RECONCILER_LABEL} and
	 * {@link UnownedResource#PRIMARY_UID_LABEL}, by which it is found and deleted when
	 * the primary is deleted, and the annotation
	 * {@link UnownedResource#PRIMARY_ANNOTATION}, by which its changes lead to a run of
	 * the primary. An object that exists and was not written for this primary is refused,
	 * because it would be deleted at the end of the primary.
	 * <p>
	 * There is no request where {@link #apply} sends none. As long as the cache does not
	 * show the object, or cannot read it any more, there is one more request, which reads
	 * its metadata.
	 * @param <C> the model class
	 * @param desired the desired object, with the fields that this reconciler decides; it
	 * is not changed
	 * @return the object as the API server returned it, or as the cache holds it if there
	 * was no request; not to be changed
	 * @throws ApiException if the API server refuses it
	 * @throws IllegalArgumentException if the object has no name or no namespace, or is
	 * only metadata
	 * @throws IllegalStateException if the reconciler does not declare the resource, or
	 * the object was not written for this primary
	 * @see ReconcilerSpec#withUnowned(String, UnownedResource)
	 */
	<C extends KubernetesObject> C applyUnowned(C desired) throws ApiException;

	/**
	 * Returns the objects of a class that were applied for the primary by
	 * {@link #applyUnowned}, as the cache holds them, to find those that are not wanted
	 * any more. One that cannot be read any more is there in its last readable state, and
	 * in {@link Owned#quarantined()}; one that was never readable here is not.
	 * @param <C> the model class
	 * @param objectClass the model class, which the reconciler declared as unowned
	 * @return the objects
	 * @throws IllegalArgumentException if the class was not declared
	 */
	<C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass);

	/**
	 * Creates an object, with the primary as its controller.
	 * @param <C> the model class
	 * @param object the object; a missing namespace is that of the primary. It is not
	 * changed
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server refuses it, with code 409 if there is one
	 * already
	 * @throws IllegalArgumentException if the object is only metadata
	 */
	<C extends KubernetesObject> C create(C object) throws ApiException;

	/**
	 * Deletes an object, if it still has the UID of the given one. Its dependents are
	 * deleted after it ({@link PropagationPolicy#BACKGROUND}), also those of a Job, which
	 * the API server would orphan by default. A deletion that is under way with another
	 * policy keeps that. An object that does not exist is not an error.
	 * @param <C> the model class
	 * @param object the object or its metadata, as a cache or the API server gave it
	 * @throws ApiException if the API server refuses it
	 * @throws IllegalArgumentException if the object has no name or no UID
	 */
	default <C extends KubernetesObject> void delete(C object) throws ApiException {
		delete(object, DeleteOptions.defaults());
	}

	/**
	 * Deletes an object, if it still has the UID of the given one. An object that does
	 * not exist is not an error.
	 * @param <C> the model class
	 * @param object the object or its metadata, as a cache or the API server gave it
	 * @param options the propagation policy and the preconditions
	 * @throws ApiException if the API server refuses it, with code 409 if the object has
	 * changed and must not have
	 * @throws IllegalArgumentException if the object has no name or no UID, or no
	 * {@code resourceVersion} where that is a precondition
	 */
	<C extends KubernetesObject> void delete(C object, DeleteOptions options) throws ApiException;

	/**
	 * Patches an object.
	 * @param <C> the model class
	 * @param object the object, of which class, namespace and name count, or its metadata
	 * as a cache gave it
	 * @param format the format of the patch
	 * @param patch the patch
	 * @return the object as the API server returned it; of metadata, the metadata
	 * @throws ApiException if the API server refuses it
	 */
	<C extends KubernetesObject> C patch(C object, PatchFormat format, String patch) throws ApiException;

	/**
	 * Changes the status of the primary, by a merge patch of what differs. There is no
	 * request if nothing does.
	 * @param change changes the status of a private copy of the primary as this run last
	 * received it; a missing status is created first, where its class can be
	 * @return the primary as the API server returned it, or as it was if nothing differs
	 * @throws ApiException if the API server refuses it
	 * @throws IllegalArgumentException if more than the status was changed; the message
	 * names the field
	 */
	T status(Consumer<? super T> change) throws ApiException;

	/**
	 * Changes the status of a primary whose class is immutable, such as a record or a
	 * Kotlin data class: by a merge patch of what differs. There is no request if nothing
	 * does.
	 * @param change returns a copy of the primary with another status; it is given a
	 * private copy of the primary as this run last received it
	 * @return the primary as the API server returned it, or as it was if nothing differs
	 * @throws ApiException if the API server refuses it
	 * @throws IllegalArgumentException if more than the status was changed; the message
	 * names the field
	 */
	T replaceStatus(UnaryOperator<T> change) throws ApiException;

	/**
	 * Reports an event about the primary, of type {@code Normal}. Equal events are
	 * aggregated into a series ({@code events.k8s.io/v1}).
	 * @param reason the reason, in UpperCamelCase
	 * @param note the text for people
	 */
	default void event(String reason, String note) {
		event(EventType.NORMAL, reason, note);
	}

	/**
	 * Reports an event about the primary. It never fails a run: what the API server
	 * refuses is logged.
	 * @param type the type
	 * @param reason the reason, in UpperCamelCase
	 * @param note the text for people
	 */
	void event(EventType type, String reason, String note);

	/**
	 * Records a write that was made otherwise, such as by an {@code ApiClient} of one's
	 * own or by another thread.
	 * @param object the object as the API server returned it
	 */
	void written(KubernetesObject object);

	/**
	 * Type of an event.
	 */
	enum EventType {

		/** Something happened as it should. */
		NORMAL,

		/** Something is not as it should be. */
		WARNING

	}

}
