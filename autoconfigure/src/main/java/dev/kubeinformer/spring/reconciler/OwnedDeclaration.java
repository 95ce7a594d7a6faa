package dev.kubeinformer.spring.reconciler;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.Owns;

/**
 * Place where a reconciler says what its primaries own.
 *
 * @param objectClass the model class of the owned objects
 * @param annotation narrows them; {@code null} if there is none
 * @param where the place, for messages
 */
record OwnedDeclaration(Class<? extends KubernetesObject> objectClass, @Nullable Owns annotation, String where) {

}
