// The controller of the page "Coming from controller-runtime", so that its code there compiles.
package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var version = schema.GroupVersion{Group: "samplecontroller.example.com", Version: "v1alpha1"}

type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FooSpec   `json:"spec,omitempty"`
	Status            FooStatus `json:"status,omitempty"`
}

type FooSpec struct {
	DeploymentName string `json:"deploymentName"`
	Replicas       int32  `json:"replicas"`
}

type FooStatus struct {
	AvailableReplicas int32 `json:"availableReplicas"`
}

func (foo *Foo) DeepCopyObject() runtime.Object {
	copied := *foo
	foo.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

type FooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Foo `json:"items"`
}

func (list *FooList) DeepCopyObject() runtime.Object {
	copied := *list
	copied.Items = append([]Foo(nil), list.Items...)
	return &copied
}

type FooReconciler struct {
	client.Client
}

func (r *FooReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var foo Foo
	if err := r.Get(ctx, req.NamespacedName, &foo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: foo.Namespace, Name: foo.Spec.DeploymentName}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, deployment, func() error {
		deployment.Spec = deploymentSpec(&foo)
		return controllerutil.SetControllerReference(&foo, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	before := foo.DeepCopyObject().(*Foo)
	foo.Status.AvailableReplicas = deployment.Status.AvailableReplicas
	return ctrl.Result{}, r.Status().Patch(ctx, &foo, client.MergeFrom(before))
}

func (r *FooReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Foo{}).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}

func deploymentSpec(foo *Foo) appsv1.DeploymentSpec {
	labels := map[string]string{"app": foo.Name}
	return appsv1.DeploymentSpec{
		Replicas: &foo.Spec.Replicas,
		Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx:latest"}}},
		},
	}
}

func main() {
	scheme := runtime.NewScheme()
	must(appsv1.AddToScheme(scheme))
	scheme.AddKnownTypes(version, &Foo{}, &FooList{})
	metav1.AddToGroupVersion(scheme, version)
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Scheme: scheme})
	must(err)
	must((&FooReconciler{manager.GetClient()}).SetupWithManager(manager))
	must(manager.Start(ctrl.SetupSignalHandler()))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
