package dev.kubeinformer.benchmark.josdk;

import java.util.List;
import java.util.Optional;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;

/**
 * Applies the ConfigMap by itself, unless the cache shows it; or in every run, as JOSDK's
 * own samples do.
 */
@ControllerConfiguration(name = "plain")
final class PlainReconciler implements Reconciler<Widget> {

	private final Counts counts;

	private final boolean always;

	PlainReconciler(Counts counts, boolean always) {
		this.counts = counts;
		this.always = always;
	}

	@Override
	public List<EventSource<?, Widget>> prepareEventSources(EventSourceContext<Widget> context) {
		return List.of(new InformerEventSource<>(
				InformerEventSourceConfiguration.from(ConfigMap.class, Widget.class).build(), context));
	}

	@Override
	public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
		ConfigMap desired = Desired.of(widget);
		Optional<ConfigMap> now = context.getSecondaryResource(ConfigMap.class);
		if (this.always || now.isEmpty() || !desired.getData().equals(now.get().getData())) {
			context.getClient().resource(desired).fieldManager("benchmark").forceConflicts().serverSideApply();
			this.counts.written();
		}
		this.counts.reconciled();
		return UpdateControl.noUpdate();
	}

}
