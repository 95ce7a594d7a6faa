package dev.kubeinformer.controller;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.types.ObjectKey;

/**
 * Run of a reconciler for one object: provides the owned objects and the methods for
 * writing. Every write is recorded, so the next run of the same key sees it: it receives
 * the response of the API server, or waits for the caches, but not longer than a timeout.
 * Use this object only in the thread of the run, and not after the run has ended.
 * <p>
 * If the API server rejects a request, a {@code WriteFailedException} is thrown, which is
 * an {@link ApiException} that names the write. A reconciler need not catch it: the run
 * is then retried, after a conflict (HTTP 409) as soon as the newer version arrives.
 *
 * @param <T> the model class of the primary
 */
public interface Reconciliation<T extends KubernetesObject> {

	/**
	 * Returns the key of the primary.
	 * @return the namespace and the name
	 */
	ObjectKey key();

	/**
	 * Returns the name of the primary's cluster.
	 * @return the name; {@code default} for a cluster without a name
	 */
	default String cluster() {
		return "default";
	}

	/**
	 * Returns the number of the attempt.
	 * @return 1 plus the number of failed runs before
	 */
	int attempt();

	/**
	 * Returns the primary as the cache showed it at the beginning of the run. If the
	 * cache did not yet show the latest write to the primary by an earlier run, returns
	 * the response to that write. The object is shared and must not be changed; the
	 * parameter of the reconciler is a private copy.
	 * @return the primary
	 */
	T object();

	/**
	 * Returns whether the primary is quarantined: the API server has a newer state of it
	 * that cannot be read as its class, or for which a transform fails. Then
	 * {@link #object()} is the last readable state, possibly without its
	 * deletionTimestamp. This happens only in a cleanup, because such an object has no
	 * other runs. The methods that change the status then send no request.
	 * @return {@code true} if the primary is quarantined
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
	 * controller. Missing values of {@code apiVersion}, {@code kind}, namespace and owner
	 * are filled in; {@code status}, {@code managedFields}, {@code resourceVersion},
	 * {@code uid}, {@code creationTimestamp} and {@code generation} are left out. The
	 * request is forced, and uses the reconciler's field manager.
	 * <p>
	 * No request is sent if the cached object has every desired value, and its annotation
	 * {@link ReconcilerSpec#APPLIED_ANNOTATION} is that of the desired object. This also
	 * holds after a restart. No request is sent, either, if the same object was applied
	 * before and the cache shows the outcome. Values are compared in the form in which
	 * the API server stores them: quantities by their value, lists by their merge keys,
	 * and without values that it adds or omits.
	 * <p>
	 * If the cache holds only metadata, an unchanged {@code resourceVersion} shows that
	 * the outcome is unchanged. The desired object is then returned with the cached
	 * metadata. An object that had a status when it was applied is always sent, because
	 * such a cache does not contain the status. Fields that a transform of the cache
	 * removes are not compared, so a change of only these fields by another client is not
	 * undone.
	 * @param <C> the model class
	 * @param desired the desired object, with the fields that this reconciler manages; it
	 * is not changed
	 * @return the object as the API server returned it, or the cached object if no
	 * request was sent; it must not be changed
	 * @throws ApiException if the API server rejects it
	 * @throws IllegalArgumentException if the object has no name, if its scope or
	 * namespace does not fit those of its owner, or if it is only metadata
	 * @throws IllegalStateException if the object has another controller
	 */
	<C extends KubernetesObject> C apply(C desired) throws ApiException;

	/**
	 * Applies an object that the primary cannot own, such as a {@code ClusterRole} or an
	 * object in another namespace. It works like {@link #apply}, but without an owner.
	 * The object gets the labels {@link UnownedResource#RECONCILER_LABEL} and
	 * {@link UnownedResource#PRIMARY_UID_LABEL}, by which it is found and deleted when
	 * the primary is deleted. It also gets the annotation
	 * {@link UnownedResource#PRIMARY_ANNOTATION}, by which its changes cause a run of the
	 * primary. An existing object that was not written for this primary is rejected,
	 * because it would be deleted with the primary.
	 * <p>
	 * No request is sent in the same cases as by {@link #apply}. While the cache does not
	 * show the object, or can no longer read it, one more request reads its metadata.
	 * @param <C> the model class
	 * @param desired the desired object, with the fields that this reconciler manages; it
	 * is not changed
	 * @return the object as the API server returned it, or the cached object if no
	 * request was sent; it must not be changed
	 * @throws ApiException if the API server rejects it
	 * @throws IllegalArgumentException if the object has no name or no namespace, or is
	 * only metadata
	 * @throws IllegalStateException if the reconciler does not declare the resource, or
	 * the object was not written for this primary
	 * @see ReconcilerSpec#withUnowned(String, UnownedResource)
	 */
	<C extends KubernetesObject> C applyUnowned(C desired) throws ApiException;

	/**
	 * Returns the cached objects of a class that were applied for the primary by
	 * {@link #applyUnowned}. A reconciler uses them to find objects that are no longer
	 * desired. An object that can no longer be read is included in its last readable
	 * state, and in {@link Owned#quarantined()}. An object that was never readable is not
	 * included.
	 * @param <C> the model class
	 * @param objectClass the model class, which the reconciler declared as unowned
	 * @return the objects
	 * @throws IllegalArgumentException if the class was not declared
	 */
	<C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass);

	/**
	 * Creates an object, with the primary as its controller.
	 * @param <C> the model class
	 * @param object the object, which is not changed; if its namespace is missing, that
	 * of the primary is used
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects it, with code 409 if the object
	 * exists already
	 * @throws IllegalArgumentException if the object is only metadata
	 */
	<C extends KubernetesObject> C create(C object) throws ApiException;

	/**
	 * Deletes an object if it still has the UID of the passed object. Its dependents are
	 * deleted after it ({@link PropagationPolicy#BACKGROUND}), including those of a Job,
	 * which the API server would orphan by default. A deletion in progress keeps its
	 * policy. It is not an error if the object does not exist.
	 * @param <C> the model class
	 * @param object the object or its metadata, as a cache or the API server returned it
	 * @throws ApiException if the API server rejects it
	 * @throws IllegalArgumentException if the object has no name or no UID
	 */
	default <C extends KubernetesObject> void delete(C object) throws ApiException {
		delete(object, DeleteOptions.defaults());
	}

	/**
	 * Deletes an object if it still has the UID of the passed object. It is not an error
	 * if the object does not exist.
	 * @param <C> the model class
	 * @param object the object or its metadata, as a cache or the API server returned it
	 * @param options the propagation policy and the preconditions
	 * @throws ApiException if the API server rejects it, with code 409 if a precondition
	 * is not met
	 * @throws IllegalArgumentException if the object has no name or no UID, or lacks a
	 * {@code resourceVersion} that is a precondition
	 */
	<C extends KubernetesObject> void delete(C object, DeleteOptions options) throws ApiException;

	/**
	 * Patches an object.
	 * @param <C> the model class
	 * @param object the object, or its metadata as a cache returned it; only class,
	 * namespace and name are used
	 * @param format the format of the patch
	 * @param patch the patch
	 * @return the object as the API server returned it; the metadata if metadata was
	 * passed
	 * @throws ApiException if the API server rejects it
	 */
	<C extends KubernetesObject> C patch(C object, PatchFormat format, String patch) throws ApiException;

	/**
	 * Changes the status of the primary by a merge patch of the differences. If nothing
	 * differs, no request is sent.
	 * @param change changes the status of a private copy of the primary, as this run last
	 * received it; a missing status is created first if its class can be instantiated
	 * @return the primary as the API server returned it; unchanged if nothing differs
	 * @throws ApiException if the API server rejects it
	 * @throws IllegalArgumentException if more than the status was changed; the message
	 * names the field
	 */
	T status(Consumer<? super T> change) throws ApiException;

	/**
	 * Changes the status of a primary with an immutable class, such as a record or a
	 * Kotlin data class, by a merge patch of the differences. If nothing differs, no
	 * request is sent.
	 * @param change returns a copy of the primary with another status; its argument is a
	 * private copy of the primary, as this run last received it
	 * @return the primary as the API server returned it; unchanged if nothing differs
	 * @throws ApiException if the API server rejects it
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
	 * Reports an event about the primary. A failure does not affect the run: if the API
	 * server rejects the event, that is logged.
	 * @param type the type
	 * @param reason the reason, in UpperCamelCase
	 * @param note the text for people
	 */
	void event(EventType type, String reason, String note);

	/**
	 * Records a write that was sent in another way, for example by another {@code
	 * ApiClient} or another thread.
	 * @param object the object as the API server returned it
	 */
	void written(KubernetesObject object);

	/**
	 * Type of an event.
	 */
	enum EventType {

		/** Something happened as expected. */
		NORMAL,

		/** Something requires attention. */
		WARNING

	}

}
