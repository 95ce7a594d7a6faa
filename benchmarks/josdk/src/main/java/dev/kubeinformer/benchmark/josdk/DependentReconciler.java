package dev.kubeinformer.benchmark.josdk;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/**
 * Leaves the ConfigMap to a dependent resource, like the first example of JOSDK's
 * documentation.
 */
@Workflow(dependents = @Dependent(type = DependentReconciler.Child.class))
@ControllerConfiguration(name = "dependent")
final class DependentReconciler implements Reconciler<Widget> {

	private static Counts shared = new Counts();

	private final Counts counts;

	DependentReconciler(Counts counts) {
		this.counts = counts;
		shared = counts; // JOSDK creates dependent resources itself.
	}

	@Override
	public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
		this.counts.reconciled();
		return UpdateControl.noUpdate();
	}

	/** ConfigMap of a widget. */
	public static final class Child extends CRUDKubernetesDependentResource<ConfigMap, Widget> {

		@Override
		protected ConfigMap desired(Widget widget, Context<Widget> context) {
			return Desired.of(widget);
		}

		@Override
		public ConfigMap create(ConfigMap desired, Widget widget, Context<Widget> context) {
			ConfigMap created = super.create(desired, widget, context);
			shared.written();
			return created;
		}

		@Override
		public ConfigMap update(ConfigMap actual, ConfigMap desired, Widget widget, Context<Widget> context) {
			ConfigMap updated = super.update(actual, desired, widget, context);
			shared.written();
			return updated;
		}

	}

}
