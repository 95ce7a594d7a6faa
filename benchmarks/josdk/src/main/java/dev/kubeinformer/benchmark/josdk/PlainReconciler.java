package dev.kubeinformer.benchmark.josdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;

/**
 * Applies the children itself, unless the cache shows them; or in every run, like JOSDK's
 * own samples.
 */
@ControllerConfiguration(name = "plain")
final class PlainReconciler implements Reconciler<Widget> {

	private final Counts counts;

	private final boolean always;

	private final boolean three;

	PlainReconciler(Counts counts, boolean always, boolean three) {
		this.counts = counts;
		this.always = always;
		this.three = three;
	}

	@Override
	public List<EventSource<?, Widget>> prepareEventSources(EventSourceContext<Widget> context) {
		List<EventSource<?, Widget>> sources = new ArrayList<>(List.of(source(ConfigMap.class, context)));
		if (this.three) {
			sources.add(source(Deployment.class, context));
			sources.add(source(Service.class, context));
		}
		return sources;
	}

	private static <R extends HasMetadata> EventSource<?, Widget> source(Class<R> type,
			EventSourceContext<Widget> context) {
		return new InformerEventSource<>(InformerEventSourceConfiguration.from(type, Widget.class).build(), context);
	}

	@Override
	public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
		for (HasMetadata wanted : Desired.of(widget, this.three)) {
			Optional<? extends HasMetadata> now = context.getSecondaryResource(wanted.getClass());
			if (this.always || now.isEmpty() || !Desired.isSame(now.get(), wanted)) {
				context.getClient().resource(wanted).fieldManager("benchmark").forceConflicts().serverSideApply();
				this.counts.written();
			}
		}
		this.counts.reconciled();
		return UpdateControl.noUpdate();
	}

}
