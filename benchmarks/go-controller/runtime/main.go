// The same controller on controller-runtime: its manager, its cache and its client, as its documentation shows.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"go-controller/children"
	"go-controller/counts"
)

type reconciler struct {
	client.Client
	three  bool
	counts counts.Counts
}

func main() {
	workers := flag.Int("workers", 16, "workers")
	three := flag.Bool("three", false, "a Deployment and a Service beside the ConfigMap")
	lease := flag.String("lease", "", "the Lease by which replicas elect the one that works")
	flag.Parse()
	// The flag is controller-runtime's own.
	kubeconfig := flag.Lookup("kubeconfig").Value.String()
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	check(err)
	config.QPS = -1
	scheme := k8sruntime.NewScheme()
	check(clientgoscheme.AddToScheme(scheme))
	check(children.AddToScheme(scheme))
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme,
		Metrics:        server.Options{BindAddress: "0"},
		LeaderElection: *lease != "", LeaderElectionID: *lease, LeaderElectionNamespace: "controller-benchmark",
		Cache: cache.Options{DefaultTransform: cache.TransformStripManagedFields()}})
	check(err)
	r := &reconciler{Client: manager.GetClient(), three: *three}
	build := ctrl.NewControllerManagedBy(manager).
		For(&children.Widget{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: *workers})
	if *three {
		build = build.Owns(&appsv1.Deployment{}).Owns(&corev1.Service{})
	}
	check(build.Complete(r))
	go func() {
		check(manager.Start(context.Background()))
		os.Exit(1)
	}()
	r.counts.Answer()
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	err := r.reconcile(ctx, request.NamespacedName)
	r.counts.Reconciled()
	if err != nil {
		r.counts.Failed()
	}
	return ctrl.Result{}, err
}

func (r *reconciler) reconcile(ctx context.Context, name types.NamespacedName) error {
	var widget children.Widget
	if err := r.Get(ctx, name, &widget); err != nil {
		return client.IgnoreNotFound(err)
	}
	for _, wanted := range children.Desired(&widget, r.three) {
		now, err := r.now(ctx, wanted)
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		if err == nil && children.Same(now, wanted) {
			continue
		}
		body, err := children.Body(wanted)
		if err != nil {
			return err
		}
		err = r.Patch(ctx, wanted, client.RawPatch(types.ApplyPatchType, body), client.ForceOwnership,
			client.FieldOwner(children.Manager))
		r.counts.Written()
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reconciler) now(ctx context.Context, wanted children.Object) (children.Object, error) {
	var now children.Object
	switch wanted.(type) {
	case *corev1.ConfigMap:
		now = &corev1.ConfigMap{}
	case *appsv1.Deployment:
		now = &appsv1.Deployment{}
	case *corev1.Service:
		now = &corev1.Service{}
	}
	return now, r.Get(ctx, client.ObjectKeyFromObject(wanted), now)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
