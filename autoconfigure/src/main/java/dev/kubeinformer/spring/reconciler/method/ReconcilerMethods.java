package dev.kubeinformer.spring.reconciler.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;

/**
 * Annotated methods of a reconciler.
 *
 * @param objectClass the model class of the primaries
 * @param reconcile the method that reconciles
 * @param trigger the annotation of the reconciling method, which determines when this
 * method is called
 * @param cleanup the method that cleans up; {@code null} if there is none
 * @param onCleanup the annotation of the cleanup method; {@code null} if there is none
 * @param watched the methods that map objects to keys of primaries
 * @param owned the declarations of owned objects
 */
public record ReconcilerMethods(Class<? extends KubernetesObject> objectClass, RunMethod reconcile, Reconcile trigger,
		@Nullable RunMethod cleanup, @Nullable OnCleanup onCleanup, List<MapMethod> watched,
		List<OwnedDeclaration> owned) {

	public List<Method> called() {
		List<Method> called = new ArrayList<>();
		called.add(this.reconcile.method());
		if (this.cleanup != null) {
			called.add(this.cleanup.method());
		}
		this.watched.forEach((each) -> called.add(each.method()));
		return called;
	}

}
